"""Values of whole images: the test gives them as expressions of NumPy over the image src."""

import functools

import numpy as np


KINDS = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
}


def value(src, text, kind):
    v = np.asarray(eval(text, {"np": np, "functools": functools, "src": src})).astype(KINDS[kind])
    return np.stack([v] * 3)
