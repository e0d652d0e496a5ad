"""A session with `headrace lsp` over its pipes, from the handshake to the exit status."""

import pytest

from tests.lsp.client import Client

pytest.importorskip("pygls")

URI = "file:///somewhere/kernel.mlir"
KERNEL = """\
// RUN: headrace opt %s --cano
#map = affine_map<(d0) -> (d0)>
func.func @helper(%x: f32) -> f32 {
  return %x : f32
}
func.func @kernel(%a: f32, %b: f32) -> f32 {
  %sum = arith.addf %a, %b : f32
  %bad = arith.mulff %sum, %sum : f32
  %out = func.call @helper(%sum) : (f32) -> f32
  return %out : f32
}
"""


@pytest.fixture
def client():
    made = Client()
    yield made
    made.kill()


def span(diagnostic):
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return (start["line"], start["character"], end["line"], end["character"])


def test_session(client):
    capabilities = client.start()
    assert capabilities["hoverProvider"] and capabilities["definitionProvider"]
    assert "." in capabilities["completionProvider"]["triggerCharacters"]

    client.open(URI, KERNEL)
    (found,) = client.diagnostics(URI, 1)
    assert found["severity"] == 1 and found["source"] == "headrace"
    assert found["message"] == "custom op 'arith.mulff' is unknown; did you mean 'arith.mulf'?"
    assert span(found) == (7, 9, 7, 20)

    # A request between two changes answers for the text as it is then.
    edit = dict(start=dict(line=7, character=9), end=dict(line=7, character=20))
    client.change(URI, 2, dict(range=edit, text="arith.mulf"))
    hover = client.at("hover", URI, 7, 12)
    assert "arith.mulf" in hover["contents"]["value"] and hover["contents"]["kind"] == "markdown"
    assert client.diagnostics(URI, 2) == []

    hover = client.at("hover", URI, 8, 29)
    assert "%sum : f32" in hover["contents"]["value"]
    assert "%sum = arith.addf %a, %b : f32" in hover["contents"]["value"]
    assert hover["range"] == dict(start=dict(line=8, character=27), end=dict(line=8, character=31))

    assert client.at("definition", URI, 8, 29) == dict(
        uri=URI, range=dict(start=dict(line=6, character=2), end=dict(line=6, character=6))
    )
    assert client.at("definition", URI, 8, 22)["range"]["start"] == dict(line=2, character=10)
    assert client.at("hover", URI, 4, 0) is None

    client.change(
        URI, 3, dict(range=dict(start=dict(line=7, character=9), end=dict(line=7, character=33)), text="ktdp.")
    )
    labels = [item["label"] for item in client.at("completion", URI, 7, 14)["items"]]
    assert "ktdp.load" in labels and all(label.startswith("ktdp.") for label in labels)
    items = client.at("completion", URI, 0, 30)["items"]
    assert [item["label"] for item in items] == ["canonicalize"]
    assert items[0]["textEdit"]["range"]["start"] == dict(line=0, character=26)
    assert client.diagnostics(URI, 3)[0]["range"]["start"]["line"] == 7

    client.notify("textDocument/didClose", textDocument=dict(uri=URI))
    assert client.diagnostics(URI) == []
    assert client.stop() == 0


def test_columns_count_as_the_client_counts(client):
    client.start()
    client.open(URI, 'module attributes {x.a = "\U0001d6fc"} { func.func @f() { %x = arith.oops : f32 } }\n')
    (found,) = client.diagnostics(URI, 1)
    assert span(found) == (0, 55, 0, 65)  # UTF-16: the letter in the string counts twice.
    assert client.stop() == 0


def test_typing_is_debounced(client):
    client.start()
    client.open(URI, "")
    assert client.diagnostics(URI, 1) == []
    for version, end in enumerate(range(len("func.func @f() { return")), 2):
        client.change(URI, version, dict(text="func.func @f() { return"[:end]))
    client.change(URI, 100, dict(text="func.func @f() { return }"))
    assert client.diagnostics(URI, 100) == []
    between = [m for m in client.waiting if m.get("method") == "textDocument/publishDiagnostics"]
    assert len(between) <= 3
    assert client.stop() == 0


def test_survives_malformed_text(client):
    client.start()
    texts = ["{" * 5000, '"' * 99, "%" * 50 + "\0", "(" * 3000 + "\n" * 10 + "@", "module {\n" * 800, "// -----\n}" * 9]
    for number, text in enumerate(texts):
        uri = f"file:///broken/{number}.mlir"
        client.open(uri, text)
        assert client.diagnostics(uri, 1)
        client.at("hover", uri, 0, 3)
        client.at("definition", uri, 10**6, 10**6)
        client.at("completion", uri, 0, 10)
        client.change(uri, 2, dict(text=KERNEL))
        assert len(client.diagnostics(uri, 2)) == 1
    assert client.at("hover", "file:///nowhere.mlir", 0, 0) is None
    assert not [message for message in client.waiting if message.get("method") == "window/logMessage"]
    assert client.stop() == 0
