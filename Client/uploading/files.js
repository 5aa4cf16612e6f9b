// SPDX-License-Identifier: MIT
// The things that a page says of a file before it sends it.

/**
 * A key of a file, the same for the same file, so that a person who chooses it again goes on with it.
 * @param {File} file
 */
export const keyOf = ({ lastModified, size, name }) => [lastModified.toString(36), size.toString(36), name.replace(/[^\w.-]/g, "_").slice(-60)].join("-");

/**
 * The fields by which a file is declared, without a byte of it.
 * @param {File} file
 */
export const fieldsOf = ({ name, type, size }) => ({
  "upload-complete": "?0",
  "upload-length": `${size}`,
  "content-type": type || "application/octet-stream",
  "content-disposition": "attachment; filename*=UTF-8''" + encodeURIComponent(name).replace(/['()*]/g, (character) => "%" + character.charCodeAt(0).toString(16)),
});

/**
 * The fields of a part of a file, and of a word about one that is elsewhere.
 * @param {number} offset the place in the file at which the part begins
 * @param {boolean} isLast
 */
export const partFields = (offset, isLast) => ({ "upload-offset": `${offset}`, "upload-complete": isLast ? "?1" : "?0", "content-type": "application/partial-upload" });
