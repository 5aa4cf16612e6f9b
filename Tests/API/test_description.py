# SPDX-License-Identifier: MIT
"""The OpenAPI description is valid, and so are the examples in it."""

import pytest
import requests
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012


@pytest.fixture(scope="module")
def document(url):
    response = requests.get(url + "/openapi.json", timeout=10)
    assert response.status_code == 200
    return response.json()


def test_it_is_valid(document):
    validate(document)


def everything(value):
    """Each object within a value, itself included."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from everything(each)
    elif isinstance(value, list):
        for each in value:
            yield from everything(each)


def test_each_schema_is_one_and_each_example_is_of_its_schema(document):
    registry = Registry().with_resource("urn:euripus", DRAFT202012.create_resource(document))
    examples = 0
    for each in everything(document):
        schema = each.get("schema")
        if not isinstance(schema, dict):
            continue
        Draft202012Validator.check_schema(schema)
        # A reference within the document is one from here.
        whole = {"$id": "urn:euripus", **{key: document[key] for key in ("components",)}, "allOf": [schema]}
        validator = Draft202012Validator(whole, registry=registry)
        for example in [named["value"] for named in each.get("examples", {}).values()] + [each[key] for key in ("example",) if key in each]:
            examples += 1
            assert not list(validator.iter_errors(example)), example
    assert examples >= 20, "each kind of problem has an example"
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
