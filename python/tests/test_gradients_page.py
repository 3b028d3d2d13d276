"""The wrappers of docs/gradients.md for JAX and PyTorch do what they say, with substitutes that keep
the contract of both: a function, and a rule that gets what it saved and the derivative of the rest."""

from __future__ import annotations

import doctest
import pathlib
import re
import sys
import types

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


def jax_substitute() -> dict[str, types.ModuleType]:
    class Function:
        def __init__(self, function):
            self.function = function

        def __call__(self, values):
            return self.function(values)

        def defvjp(self, forward, backward):
            self.forward, self.backward = forward, backward

    def grad(function):
        def slopes(values):
            result, saved = function.forward(values)
            (by_values,) = function.backward(saved, np.ones_like(result))
            assert by_values.shape == values.shape
            return by_values

        return slopes

    def pure_callback(callback, shape, *arguments):
        results = callback(*arguments)
        for result, wanted in zip(results, shape):
            assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        return results

    jax, numpy = types.ModuleType("jax"), types.ModuleType("jax.numpy")
    jax.numpy, jax.custom_vjp, jax.grad, jax.pure_callback = numpy, Function, grad, pure_callback
    jax.ShapeDtypeStruct = lambda shape, dtype: types.SimpleNamespace(shape=shape, dtype=dtype)
    jax.config = types.SimpleNamespace(update=lambda name, value: None)
    numpy.array = np.array
    return {"jax": jax, "jax.numpy": numpy}


def torch_substitute() -> dict[str, types.ModuleType]:
    class Tensor:
        def __init__(self, data, dtype=None, requires_grad=False):
            self.data, self.dtype = np.array(data, dtype=dtype or float), dtype or float
            self.grad, self.made_by = None, None

        def detach(self):
            return self

        def numpy(self):
            return self.data

        def __mul__(self, other):
            return Tensor(self.data * other.data)

        def backward(self):
            function, context, source = self.made_by
            source.grad = function.backward(context, Tensor(1.0))
            assert source.grad.data.shape == source.data.shape

    class Function:
        @classmethod
        def apply(cls, values):
            context = types.SimpleNamespace()
            context.save_for_backward = lambda *saved: setattr(context, "saved_tensors", saved)
            result = cls.forward(context, values)
            result.made_by = (cls, context, values)
            return result

    torch = types.ModuleType("torch")
    torch.float64, torch.tensor, torch.as_tensor = float, Tensor, Tensor
    torch.autograd = types.SimpleNamespace(Function=Function)
    return {"torch": torch}


def main() -> int:
    page = (ROOT / "docs/gradients.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    common, jax, torch = blocks
    names: dict[str, object] = {}
    test = doctest.DocTestParser().get_doctest(common, names, "gradients.md", None, 0)
    runner = doctest.DocTestRunner()
    runner.run(test, clear_globs=False)
    names = test.globs
    sys.modules.update(jax_substitute())
    sys.modules.update(torch_substitute())
    exec(jax, names)
    exec(torch, names)
    expected = names["slopes"]
    assert np.array_equal(names["by_values"], expected)
    assert np.array_equal(names["tensor"].grad.data, expected)
    print(f"{runner.tries} examples, two wrappers")
    return int(runner.failures > 0 or runner.tries == 0)


if __name__ == "__main__":
    sys.exit(main())
