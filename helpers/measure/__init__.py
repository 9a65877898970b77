"""What a computation costs: counted (FLOPs, bytes, steps), timed, and fitted."""

from helpers.measure.flops import (
    attention_flops,
    counted_flops,
    mlp_flops,
    projection_flops,
)
from helpers.measure.graph import longest_path, sequential_steps, steps_of
from helpers.measure.growth import PowerLaw, Terms, fit_power, fit_terms
from helpers.measure.memory import peak_bytes, saved_bytes, tensors_made
from helpers.measure.process import machine_bytes, process_peaks
from helpers.measure.sizes import attention_bytes, kv_cache_bytes
from helpers.measure.timing import (
    one_thread,
    rounds_in_turn,
    seconds,
    seconds_in_turn,
    time_ratio,
)

__all__ = [
    "PowerLaw",
    "Terms",
    "attention_bytes",
    "attention_flops",
    "counted_flops",
    "fit_power",
    "fit_terms",
    "kv_cache_bytes",
    "longest_path",
    "machine_bytes",
    "mlp_flops",
    "one_thread",
    "peak_bytes",
    "process_peaks",
    "projection_flops",
    "saved_bytes",
    "rounds_in_turn",
    "seconds",
    "seconds_in_turn",
    "sequential_steps",
    "steps_of",
    "tensors_made",
    "time_ratio",
]
