"""Words: exceptions in the learner's function."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "truth-of-a-tensor": Words(
        "a tensor asked for its truth",
        "{place}, asks whether a whole tensor is true, and a tensor of "
        "many values has no single truth value.",
        "What do you want to know there: the tensor's values, or whether there is one?",
    ),
    "root-of-an-int": Words(
        "torch.sqrt of a Python int",
        "{place}, hands a plain Python int to torch's sqrt, which takes tensors only.",
        "Which square root takes a plain number?",
    ),
    "tensor-function-on-number": Words(
        "a torch function given a plain number",
        "{place}, gives a torch function something that is no tensor.",
        "What is the type of each thing in that line?",
    ),
    "view-after-transpose": Words(
        "view after transpose",
        "{place}: view needs the numbers side by side in memory (it is "
        "not contiguous), and a transpose only relabels the axes.",
        "What else gives a new shape, copying if it must?",
    ),
    "mask-not-bool": Words(
        "a mask that is not bool",
        "{place}, needs a mask of True and False; this one holds 0 "
        "and 1 "
        "in another dtype (int or float).",
        "How do you turn any mask of 0 and 1 into True and False?",
    ),
    "minus-on-bool": Words(
        "arithmetic on a bool mask",
        "{place}, subtracts with a bool tensor, which torch refuses.",
        "What says 'not' of True and False?",
    ),
    "not-on-floats": Words(
        "~ on floats",
        "{place}, applies ~ (bitwise not) to a mask that is not bool.",
        "How do you turn any mask of 0 and 1 into True and False first?",
    ),
    "name-unknown": Words(
        "an unknown name",
        "{place}, uses the name {name}, which has no value there.",
        "Is it spelt as where you set it, and is it set on every path?",
    ),
    "wrong-arguments": Words(
        "other arguments",
        "It cannot be called as the exercise does: {text}.",
        "Which arguments, in which order, does the exercise's signature name?",
    ),
    "attribute-unknown": Words(
        "an unknown attribute",
        "{place}: {text}.",
        "What is the type of the thing before the dot?",
    ),
    "no-mask-not-handled": Words(
        "a call without a mask",
        "{place}, runs although no mask was given: the mask is None "
        "there, and comparing None with 0 is just False.",
        "What should happen when there is no mask?",
    ),
    "calls-the-real-one": Words(
        "PyTorch's own function called",
        "It calls PyTorch's own {own}, which this exercise wanted you to write.",
        "Can you do it with exponentials and sums?",
    ),
    "none-used": Words(
        "None used as a tensor",
        "{place}, uses something that is None there.",
        "Which value may be None, and what should happen then?",
    ),
    "calls-itself": Words(
        "a function that calls itself for ever",
        "The function calls itself without end.",
        "Where does it stop?",
    ),
    "own-assertion": Words(
        "an assertion of your own",
        "Your own assertion in line {line}, `{source}`, fails here.{met}",
        "Is what it demands true for every size and mask the exercise allows?",
    ),
    "exits": Words(
        "exit called",
        "The function ends the program (exit).",
        "What should a function do when it is done?",
    ),
    "size-hard-coded": Words(
        "a hard-coded size",
        "{place}, asks for a fixed shape that does not hold these "
        "numbers ({text}).{met} It seems to work for one size only: it is hard-coded.",
        "From which tensor could the line read its sizes?",
    ),
    "shapes-do-not-fit": Words(
        "shapes that do not fit",
        "{place}, brings shapes together that do not fit: {text}.{met}",
        "Which axis should meet which? Write each shape with its axes' names.",
    ),
    "dtypes-do-not-fit": Words(
        "dtypes that do not fit",
        "{place}, mixes dtypes: {text}.",
        "Which of the tensors do you make yourself?",
    ),
    "reshape-miscounts": Words(
        "a shape that holds another count of numbers",
        "{place}, asks for a shape that cannot hold these numbers ({text}).{met}",
        "Multiply the sizes you ask for: how many numbers is that, and which size is "
        "too large, forgotten, or fixed?",
    ),
    "super-init-forgotten": Words(
        "super().__init__() forgotten",
        "{place}: a layer is stored before nn.Module itself has been "
        "set up, so it cannot be registered.",
        "What has to be the first line of a module's own __init__?",
    ),
    "raises": Words(
        "an exception",
        "{place}, raises {kind}: {text}.{met}",
        "What did you expect each name in that line to hold?",
    ),
}
