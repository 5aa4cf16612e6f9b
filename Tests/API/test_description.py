# SPDX-License-Identifier: MIT
"""The OpenAPI descriptions are valid, the whole one and that of each view model, and so are the examples in them."""

import json

import pytest
import requests
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012


MODELS = ["account", "board", "card-finder", "cookbook", "follow", "login", "page", "profile", "recordings", "reference", "signup"]


@pytest.fixture(scope="module", params=["/openapi.json", *(f"/models/{name}/openapi.json" for name in MODELS)])
def document(request, url):
    response = requests.get(url + request.param, timeout=60)
    assert response.status_code == 200
    return response.json()


def test_each_view_model_has_one(url):
    assert requests.get(url + "/models", timeout=60).json() == {"models": MODELS}


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


def parts(schema):
    """Each schema within a schema, itself included, with the member in which it stands."""
    def walk(schema, place):
        if not isinstance(schema, dict):
            return
        yield schema, place
        for name in ("items", "additionalProperties"):
            yield from walk(schema.get(name), name)
        for name in ("oneOf", "anyOf"):
            for each in schema.get(name, []):
                yield from walk(each, name)
        for each in schema.get("properties", {}).values():
            yield from walk(each, "properties")
    return walk(schema, None)


def test_each_schema_that_becomes_a_class_has_a_name(document):
    schemas = [*document["components"]["schemas"].values(), *(each["schema"] for each in everything(document) if "schema" in each)]
    for schema in schemas:
        for part, place in parts(schema):
            is_object = part.get("type") == "object" or "properties" in part
            is_variant = place in ("oneOf", "anyOf") and part.get("type") != "null"
            if (is_object or is_variant) and "$ref" not in part:
                assert part.get("title"), part
    for name, schema in document["components"]["schemas"].items():
        assert schema["title"] == name


def test_each_component_is_needed(document):
    text = json.dumps(document)
    for kind, components in document["components"].items():
        if kind != "securitySchemes":
            assert not [name for name in components if f'"#/components/{kind}/{name}"' not in text]


def test_each_schema_is_one_and_each_example_is_of_its_schema(document):
    registry = Registry().with_resource("urn:euripus", DRAFT202012.create_resource(document))
    examples = 0
    for each in everything(document):
        schema = each.get("schema")
        if not isinstance(schema, dict):
            continue
        Draft202012Validator.check_schema(schema)
        # The document's references are resolved against this schema, so it holds the components.
        whole = {"$id": "urn:euripus", **{key: document[key] for key in ("components",)}, "allOf": [schema]}
        validator = Draft202012Validator(whole, registry=registry)
        for example in [named["value"] for named in each.get("examples", {}).values()] + [each[key] for key in ("example",) if key in each]:
            examples += 1
            assert not list(validator.iter_errors(example)), example
    assert examples >= 20, "each kind of problem has an example"
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
