"""Validates STIX bundles and expands a JSON-LD graph, without a network: python3 validate.py JSON_LD STIX..."""

import json
import socket
import sys

from pyld import jsonld
from stix2validator import ValidationOptions, validate_file


def refuse(*_, **__):
    raise OSError("the network is used")


socket.socket.connect = refuse
jsonld.set_document_loader(refuse)

for path in sys.argv[2:]:
    result = validate_file(path, ValidationOptions(version="2.1"))
    errors = [f"{one.object_id}: {error}" for one in result.object_results for error in one.errors]
    assert result.is_valid and not errors, errors

with open(sys.argv[1], encoding="utf-8") as file:
    graph = json.load(file)
expanded = jsonld.expand(graph)
assert len(expanded) == len(graph["@graph"]), "nodes were left out"
vocabularies = ("https://schema.org/", "http://www.w3.org/ns/prov#", "@")
terms = [term for node in expanded for term in [*node, *node["@type"]]]
assert all(term.startswith(vocabularies) for term in terms), terms
