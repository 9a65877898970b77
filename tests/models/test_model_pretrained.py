"""The real model: found, verified, loaded, and equal to its makers' own code.

Everything that needs the files is skipped where they are not installed (in CI it
fails instead). `python -m tests.models.test_model_pretrained` prints new reference
values; it needs the package transformers, which the course does not require.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from nbclient.exceptions import CellExecutionError

from helpers.models import pretrained
from helpers.models.reading import Reader
from helpers.tasks import sentences
from tools import notebook
from tools.settings import ROOT

SENTENCES = [  # sentence, number of the query token, number of the key token
    ("The animal didn't cross the street because it was too tired.", 10, 2),
    ("The animal didn't cross the street because it was too wide.", 10, 7),
    ("Unbelievably, the jagged-edged naïve façade cost $3,141.59 (twice!).", 3, 9),
]
FEATURES = 32
READERS = ("safetensors", "tokenizers")
NONE = "the model of lesson 15 is not installed; `python tools/install.py` does it"


@pytest.fixture(scope="module")
def reader() -> Reader:
    if why := pretrained.missing():
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(f"CI needs the real model: {why}")
        pytest.skip(NONE)
    return pretrained.load()


@pytest.fixture(scope="module")
def files(reader: Reader) -> Path:
    """The folder that the model was loaded from."""
    return pretrained.find()


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """As where only the packages that read the model are installed, not the model."""
    monkeypatch.delenv(pretrained.VARIABLE, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    only_these_packages(monkeypatch, *READERS)
    yield


def only_these_packages(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let find_spec find these packages, installed or not, and none beside them."""

    def found(name: str) -> types.SimpleNamespace | None:
        folder = types.SimpleNamespace(submodule_search_locations=[f"/site/{name}"])
        return folder if name in names else None

    monkeypatch.setattr(importlib.util, "find_spec", found)


def copied(files: Path, folder: Path) -> Path:
    """A folder with the model's files: hard links where possible, as they are large."""
    folder.mkdir(parents=True)
    for name in pretrained.HASHES:
        try:
            os.link(files / name, folder / name)
        except OSError:
            shutil.copyfile(files / name, folder / name)
    return folder


def made_by_transformers() -> dict[str, Any]:
    """The reference: the same numbers from transformers.BertModel."""
    import importlib

    transformers = importlib.import_module("transformers")
    folder = str(pretrained.find())
    model = transformers.BertModel.from_pretrained(
        folder, attn_implementation="eager"
    ).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.set_num_threads(1)
    cases = []
    for sentence, query, key in SENTENCES:
        given = tokenizer(sentence, return_tensors="pt")
        with torch.no_grad():
            made = model(**given, output_attentions=True)
        mean = torch.nn.functional.normalize(made.last_hidden_state.mean(dim=1), dim=-1)
        maps = torch.stack(made.attentions, dim=1)[0]
        cases.append(
            {
                "sentence": sentence,
                "tokens": tokenizer.convert_ids_to_tokens(given["input_ids"][0]),
                "query": query,
                "key": key,
                "weights": maps[:, :, query, key].flatten().tolist(),
                "hidden": made.last_hidden_state[0, query, :FEATURES].tolist(),
                "embedding": mean[0, :FEATURES].tolist(),
            }
        )
    how = (
        f"transformers {transformers.__version__}, torch {torch.__version__}, float32: "
        f"BertModel (eager) on {pretrained.REPOSITORY} at {pretrained.REVISION}, each "
        f"sentence alone, one thread. weights: of the query token for the key token, "
        f"6 layers of 12 heads; hidden: first {FEATURES} features of the query token "
        f"behind the last layer; embedding: first {FEATURES} features of the mean over "
        f"the tokens, of length 1. Printed by "
        f"`python -m tests.models.test_model_pretrained`."
    )
    return {"how": how, "cases": cases}


def test_it_equals_the_stored_reference(reader: Reader) -> None:
    reference = pretrained.reference()
    assert "transformers" in reference["how"]
    texts = [case["sentence"] for case in reference["cases"]]
    assert texts == [sentence for sentence, _, _ in SENTENCES]
    worst = pretrained.gaps(reader)
    assert worst["weights"] < 1e-4 and worst["hidden"] < 1e-4, worst
    assert worst["embedding"] < 1e-5, worst


def test_it_equals_transformers(reader: Reader) -> None:
    """Where transformers is installed; it is no requirement of the course."""
    transformers = pytest.importorskip("transformers")
    model = transformers.BertModel.from_pretrained(
        str(pretrained.find()), attn_implementation="eager"
    ).eval()
    texts = [sentence for sentence, _, _ in SENTENCES]
    texts += ["Short.", "the cat sat on the mat and " * 30]
    for batch in (*([text] for text in texts), texts):
        ids, mask = reader.batch(batch)
        with torch.no_grad():
            hidden, weights, embedding = reader.model(ids, mask)
            theirs = model(
                input_ids=ids,
                attention_mask=mask.long(),
                output_hidden_states=True,
                output_attentions=True,
            )
        there = mask[:, None, :, None]
        gaps = {
            "hidden": (hidden - torch.stack(theirs.hidden_states, 1)) * there,
            "weights": (weights - torch.stack(theirs.attentions, 1)) * there[:, None],
        }
        mean = (theirs.last_hidden_state * mask[..., None]).sum(1) / mask.sum(1)[
            :, None
        ]
        gaps["embedding"] = embedding - torch.nn.functional.normalize(mean, dim=-1)
        worst = {name: gap.abs().max().item() for name, gap in gaps.items()}
        print(tuple(ids.shape), {name: f"{gap:.1e}" for name, gap in worst.items()})
        assert worst["hidden"] < 1e-4 and worst["weights"] < 1e-4, worst
        assert worst["embedding"] < 1e-5, worst


def test_the_file_is_used_up_but_for_the_pooler(reader: Reader) -> None:
    theirs = pretrained.tensors()
    pooler = [name for name in theirs if name.startswith("pooler")]
    assert len(theirs) - len(reader.model.state_dict()) == len(pooler) + sum(
        "position_ids" in name for name in theirs
    )


def test_words_are_those_of_the_marked_sentences(reader: Reader) -> None:
    texts = {link.sentence for pairs in sentences.links().values() for link in pairs}
    for text in sorted(texts)[::5] + ["It didn't (really) rain; unbelievably."]:
        reading = reader(text)
        assert reading.words == sentences.words(text)
        pieces = [i for tokens in reading.pieces for i in tokens]
        assert pieces == list(range(1, len(reading.tokens) - 1))


def test_a_batch_equals_its_sentences_and_nothing_is_cut(reader: Reader) -> None:
    texts = ["Short.", "the cat sat on the mat and " * 30]
    together = reader.embeddings(texts)
    assert len(reader(texts[1]).tokens) == 212
    alone = torch.stack([reader(text).embedding for text in texts])
    assert torch.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("gone", [pretrained.PACKAGE, "safetensors"])
def test_the_notebook_stops_politely_without_the_model(tmp_path: Path, gone) -> None:
    """Only the sentence is shown, not as an error, and no cell behind it runs."""
    nb = notebook.read(ROOT / "notebooks" / "15_real_model.ipynb")
    ran = []
    hide = (
        f"import os, sys; sys.modules[{gone!r}] = None; "
        f"os.environ.pop({pretrained.VARIABLE!r}, None); "
        f"os.environ['HF_HUB_CACHE'] = {str(tmp_path)!r}"
    )
    with pytest.raises(CellExecutionError) as error:
        notebook.execute(
            nb, tmp_path, first=hide, after_cell=lambda c, i, cell: ran.append(i)
        )
    assert error.value.ename == "NotAvailable"
    assert len(ran) == 1, "the imports run, the next cell stops"
    stopped = next(c for c in nb.cells[ran[0] + 1 :] if c.cell_type == "code")
    (output,) = stopped.outputs
    assert (output.output_type, output.name) == ("stream", "stdout")
    assert "python tools/install.py" in " ".join(output.text.split())
    assert output.text.endswith(".\n") and max(map(len, output.text.split("\n"))) <= 80


def test_the_named_folder_comes_first(files, nowhere, monkeypatch, tmp_path) -> None:
    folder = copied(files, tmp_path / "my modèle")
    monkeypatch.setenv(pretrained.VARIABLE, str(folder))
    assert pretrained.find() == folder


def test_a_named_folder_without_the_files_is_told(nowhere, monkeypatch, tmp_path):
    monkeypatch.setenv(pretrained.VARIABLE, str(tmp_path))
    with pytest.raises(pretrained.NotAvailable) as error:
        pretrained.find()
    assert pretrained.VARIABLE in str(error.value) and str(tmp_path) in str(error.value)


def test_the_cache_of_hugging_face_is_read(files, monkeypatch, tmp_path) -> None:
    name = "models--" + pretrained.REPOSITORY.replace("/", "--")
    at = tmp_path / "hub" / name / "snapshots" / pretrained.REVISION
    copied(files, at)
    only_these_packages(monkeypatch, *READERS)
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert pretrained.find() == at


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_tampered_file_is_refused(
    files, nowhere, monkeypatch, tmp_path, name
) -> None:
    folder = copied(files, tmp_path / "tampered")
    content = bytearray((folder / name).read_bytes())
    content[-9] ^= 1
    (folder / name).unlink()
    (folder / name).write_bytes(content)
    monkeypatch.setenv(pretrained.VARIABLE, str(folder))
    with pytest.raises(pretrained.NotAvailable, match="not the file") as error:
        pretrained.load()
    assert name in str(error.value) and "\n" not in str(error.value)


def test_nothing_found_is_one_sentence_that_helps(nowhere) -> None:
    with pytest.raises(pretrained.NotAvailable) as error:
        pretrained.load()
    said = str(error.value)
    assert "install.py" in said and said.count(". ") == 0 and said.endswith(".")
    assert pretrained.missing() == said


@pytest.mark.parametrize("package", READERS)
def test_a_missing_package_is_named(monkeypatch, package) -> None:
    only_these_packages(monkeypatch, *set(READERS) - {package})
    assert f"the package {package}" in pretrained.missing()


def test_a_download_must_be_asked_for(nowhere, monkeypatch, tmp_path) -> None:
    asked = []
    hub = types.SimpleNamespace(snapshot_download=lambda *a, **k: asked.append((a, k)))
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr(pretrained, "_folder_of", lambda name: tmp_path)
    with pytest.raises(pretrained.NotAvailable):
        pretrained.load()
    assert asked == []
    pretrained.download()
    ((repository,), settings) = asked[0]
    assert repository == pretrained.REPOSITORY
    assert settings["revision"] == pretrained.REVISION
    assert set(settings["allow_patterns"]) == set(pretrained.HASHES)


def test_a_download_needs_its_package(monkeypatch) -> None:
    only_these_packages(monkeypatch)
    with pytest.raises(pretrained.NotAvailable, match="huggingface_hub"):
        pretrained.download()


def test_the_package_is_never_imported(reader) -> None:
    assert pretrained.PACKAGE not in sys.modules


def printed(reference: dict[str, Any]) -> str:
    """As JSON, with 7 digits a number and a few numbers a line."""
    text = json.dumps(reference, indent=1, ensure_ascii=False)
    text = re.sub(r"-?\d+\.\d+(e-?\d+)?(?=,?\n)", lambda m: f"{float(m[0]):.7g}", text)
    flat = re.compile(r"\[([^\[\]{}]*)\]")
    return flat.sub(lambda m: f"[{_wrapped(m[1])}]", text)


def _wrapped(items: str) -> str:
    lines = textwrap.wrap(" ".join(items.split()), 84, break_on_hyphens=False)
    return "\n    ".join(["", *lines]) + "\n   " if len(lines) > 1 else "".join(lines)


if __name__ == "__main__":
    print(printed(made_by_transformers()))
