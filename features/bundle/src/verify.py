#!/usr/bin/env python3
"""Check a bundle of AutOSINT: python3 verify.py FILE [--key KEY] [--text TEXT ...]

It checks the marks, the hash of each part, the Ed25519 signature, and every quote against its passage; with the text of a
source (--text), quotes and passages against that text and its hash. It needs Python 3.8 and no network.

It cannot check whose key made the signature: get the key from the sender in another way, and name it with --key. It cannot
check that a source is right, or that the report judges well. A script from the bundle itself is as trustworthy as the bundle.
"""

import argparse
import hashlib
import json
import sys

HASHED = ["page", "quotations", "json-ld", "stix", "markdown", "checker"]
PARTS = HASHED + ["manifest", "signature"]
OPEN, CLOSE = b'<script type="application/json">', b"</script>"

# Curve of RFC 8032, section 5.1.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


class Damage(Exception):
    """A part that is not as it was written."""

    def __init__(self, part, problem):
        super().__init__(f"part {part}: {problem}")


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def decode(encoded):
    """The point of 32 bytes, or None."""
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    public, r, s = decode(key), decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if public is None or r is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    left, right = multiply(s, BASE), add(r, multiply(int.from_bytes(digest, "little") % L, public))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def split(rest):
    """The bytes of each part, between their marks."""
    contents = {}
    for part in PARTS:
        start, end = (f"<!-- autosint:part {part} -->\n".encode(), f"\n<!-- autosint:end {part} -->\n".encode())
        if not rest.startswith(start) or end not in rest:
            raise Damage(part, "its marks are not as they were written")
        contents[part], rest = rest[len(start):].split(end, 1)
    if rest:
        raise Damage("signature", "more bytes follow it")
    return contents


def read(part, block):
    try:
        if block.startswith(OPEN) and block.endswith(CLOSE):
            return json.loads(block[len(OPEN):-len(CLOSE)])
    except ValueError:
        pass
    raise Damage(part, "it cannot be read")


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def check_signature(contents, expected):
    manifest, signature = contents["manifest"], read("signature", contents["signature"])
    try:
        key, made = bytes.fromhex(signature["public_key"]), bytes.fromhex(signature["signature"])
        is_written = set(signature) == {"algorithm", "public_key", "manifest_sha256", "signature"}
        is_written = is_written and signature["algorithm"] == "Ed25519"
        is_written = is_written and (key.hex(), made.hex()) == (signature["public_key"], signature["signature"])
        has_hash = sha256(manifest) == signature["manifest_sha256"]
    except (KeyError, TypeError, ValueError):
        is_written = False
    if not is_written:
        raise Damage("signature", "it is not as the program writes it")
    signed = is_signed(key, manifest, made)
    if not signed and not has_hash:
        raise Damage("manifest", "it was changed: hash and signature are of another one")
    if not signed or not has_hash:
        raise Damage("signature", "it is no signature of the manifest")
    if expected and expected.strip().lower() != key.hex():
        raise Damage("signature", f"it was made with another key: {key.hex()}")
    return key.hex()


def check_parts(contents):
    manifest = read("manifest", contents["manifest"])
    listed = manifest.get("parts", [])
    if manifest.get("format") != "autosint.bundle.v1" or [part.get("name") for part in listed] != HASHED:
        raise Damage("manifest", "it is not a list of the parts")
    for part in listed:
        if sha256(contents[part["name"]]) != part["sha256"]:
            raise Damage(part["name"], "it was changed: its hash differs from that in the manifest")
    return manifest["assessment_id"]


def stands(quotation, start, text):
    """Whether a quote stands at its place in a text that begins at byte `start`."""
    span = quotation["span"]
    return start <= span["start"] and text[span["start"] - start:span["end"] - start] == quotation["quote"].encode()


def check_quotations(quotations, texts):
    for quotation in quotations:
        passage = quotation["passage"]
        if passage and not stands(quotation, passage["start"], passage["text"].encode()):
            raise Damage("quotations", f"quotation [{quotation['marker']}] is not in its passage")
    checked = 0
    for text in texts:
        found = [quotation for quotation in quotations if quotation["text_sha256"] == sha256(text)]
        if not found:
            raise Damage("quotations", f"none is from the text with the hash {sha256(text)}")
        for quotation in found:
            passage = quotation["passage"]
            part = passage["text"].encode() if passage else b""
            start = passage["start"] if passage else 0
            if not stands(quotation, 0, text) or text[start:start + len(part)] != part:
                raise Damage("quotations", f"quotation [{quotation['marker']}] is not in the text of its source")
            checked += 1
    return checked


def main():
    parser = argparse.ArgumentParser(description="Check a bundle of AutOSINT.")
    parser.add_argument("file")
    parser.add_argument("--key", help="public key that must have signed it")
    parser.add_argument("--text", nargs="+", default=[], help="whole texts of its sources")
    arguments = parser.parse_args()
    content = lambda path: open(path, "rb").read()
    try:
        contents = split(content(arguments.file))
        key = check_signature(contents, arguments.key)
        assessment = check_parts(contents)
        quotations = read("quotations", contents["quotations"])["quotations"]
        checked = check_quotations(quotations, [content(path) for path in arguments.text])
    except Damage as damage:
        print(damage, file=sys.stderr)
        return 5
    without = sum(1 for quotation in quotations if not quotation["passage"])
    print(f"assessment: {assessment}\nparts: unchanged")
    print(f"quotations: {len(quotations)}, each in its passage ({without} without one)\nin whole texts: {checked}")
    print(f"signed with: {key} (" + ("the key that you named)" if arguments.key else "compare it with the sender's)"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
