"""Element-wise functions of NumPy that the standard lacks, from tensor to tensor.

Operands have one dtype unless a function says otherwise. 16-bit floats reach only the
functions that work on their bits; the others get them as float32.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.dtypes import SIGNED_TWIN, WIDE_UNSIGNED
from xp_torch._kernels import blocks, transcendental
from xp_torch._kernels.creation import complex_nan
from xp_torch._kernels.division import floor_divide as standard_floor_divide
from xp_torch._kernels.division import pow as standard_pow
from xp_torch._kernels.division import power_by_whole
from xp_torch._kernels.division import remainder as standard_remainder
from xp_torch._kernels.host_reads import few_values, no_nan, possible
from xp_torch._kernels.unsigned import as_signed, to_ordered

from .._base.release import NEXTAFTER_KEEPS_ZEROS
from .host_kernels import or_numpys

_BITS = {
    torch.float16: torch.int16, torch.bfloat16: torch.int16, torch.float32: torch.int32,
    torch.float64: torch.int64,
}  # fmt: skip
_WIDER = {torch.uint16: torch.int64, torch.uint32: torch.int64}

# --- floating point ---


def modf(x: Tensor) -> tuple[Tensor, Tensor]:
    """The fractional and the integral part, both with the sign of ``x``."""
    whole = torch.trunc(x)
    part = torch.where(torch.isinf(x), 0.0, x - whole)
    if x.requires_grad:
        return part, whole
    return torch.copysign(part, x), whole


def frexp(x: Tensor) -> tuple[Tensor, Tensor]:
    """The mantissa in [0.5, 1) and the exponent of 2, int32."""
    mantissa, exponent = torch.frexp(x)
    return mantissa, exponent


def _power_of_two(n: Tensor, dtype: torch.dtype) -> Tensor:
    """2**n, exactly, for exponents of normal numbers: the exponent field of a float."""
    if dtype is torch.float32:
        return ((n + 127) << 23).to(torch.int32).view(dtype)
    return ((n + 1023) << 52).view(dtype)


def ldexp(x: Tensor, n: Tensor) -> Tensor:
    """``x * 2**n``, rounded once: in two factors, the first of which leaves it normal."""
    dtype = x.dtype
    if dtype in (torch.float16, torch.bfloat16):
        return ldexp(x.float(), n).to(dtype)
    mantissa, exponent = torch.frexp(x)
    bound = 300 if dtype is torch.float32 else 2200
    total = torch.clamp(exponent.to(torch.int64) + torch.clamp(n.to(torch.int64), -9999, 9999),
                        -bound // 2, bound // 2)  # fmt: skip
    half = total >> 1
    return mantissa * _power_of_two(half, dtype) * _power_of_two(total - half, dtype)


def nextafter(x: Tensor, towards: Tensor) -> Tensor:
    """The next number after ``x``; for 16-bit floats, a step in their bits."""
    if x.dtype not in (torch.float16, torch.bfloat16):
        return torch.nextafter(x, towards)
    x, towards = torch.broadcast_tensors(x, towards)
    bits = x.contiguous().view(torch.int16)
    away = (x > 0) == (towards > x)
    stepped = torch.where(away, bits + 1, bits - 1).view(x.dtype)
    smallest = torch.ones_like(bits).view(x.dtype)
    stepped = torch.where(x == 0, torch.copysign(smallest, towards), stepped)
    equal = x if NEXTAFTER_KEEPS_ZEROS else towards  # two zeros may differ in sign
    stepped = torch.where(x == towards, equal, stepped)
    return torch.where(torch.isnan(x) | torch.isnan(towards), x + towards, stepped)


def spacing(x: Tensor) -> Tensor:
    """The distance to the next number away from zero, with the sign of ``x``."""
    infinity = torch.full_like(x, torch.inf)
    if x.dtype in (torch.float16, torch.bfloat16):
        # For these numbers NumPy gives the distance to the next larger one.
        return torch.where(torch.isinf(x), torch.nan, nextafter(x, infinity) - x)
    return torch.nextafter(x, torch.where(x < 0, -infinity, infinity)) - x


def exp2(x: Tensor) -> Tensor:
    """2 to the power of ``x``; for complex numbers through the exponential."""
    if not x.dtype.is_complex:
        return torch.exp2(x)
    return transcendental.exp.general(torch.view_as_complex(torch.view_as_real(x) * math.log(2)))


def reciprocal_complex(z: Tensor) -> Tensor:
    """One over ``z``; NaN in both parts for a zero."""
    result = torch.reciprocal(z)
    if no_nan(result):
        return result
    return torch.where(z == 0, complex_nan(result), result)


def sign_complex(z: Tensor) -> Tensor:
    """``z / abs(z)``; for one infinite part that part's sign, for two NaN."""
    result = torch.sgn(z)
    if not z.requires_grad:  # torch multiplies by the reciprocal, which rounds twice
        size = torch.abs(z)
        quotient = torch.complex(z.real / size, z.imag / size)
        result = torch.where(size == 0, 0, quotient)  # every zero becomes +0
    if no_nan(result):
        return result
    x, y = z.real, z.imag
    one, two = torch.isinf(x), torch.isinf(y)
    real = torch.where(one, torch.copysign(torch.ones_like(x), x), 0.0)
    imag = torch.where(two, torch.copysign(torch.ones_like(y), y), 0.0)
    undefined = (one & two) | ~(one | two)
    limit = torch.complex(real, imag)
    limit = torch.where(undefined, complex_nan(limit), limit)
    return torch.where(torch.isfinite(z), result, limit)


# --- integers ---


def _magnitude(x: Tensor) -> Tensor:
    return torch.abs(x) if x.dtype is not torch.uint8 else x


def _gcd_uint64(a: Tensor, b: Tensor) -> Tensor:
    """Two steps of Euclid's, after which both numbers fit in int64."""
    x, y = torch.broadcast_tensors(a.view(torch.int64), b.view(torch.int64))
    swap = to_ordered(a) < to_ordered(b)
    high, low = torch.where(swap, y, x), torch.where(swap, x, y)
    rest = remainder(high.view(torch.uint64), low.view(torch.uint64))
    last = remainder(low.view(torch.uint64), rest).view(torch.int64)
    rest = rest.view(torch.int64)
    common = torch.where(rest == 0, low, torch.gcd(rest, last))
    return torch.where(low == 0, high, common).view(torch.uint64)


def gcd(a: Tensor, b: Tensor) -> Tensor:
    """The greatest common divisor; 0 of zeros."""
    dtype = a.dtype
    if dtype is torch.uint64:
        return _gcd_uint64(a, b)
    wider = _WIDER.get(dtype)
    if wider is not None:
        return torch.gcd(a.to(wider), b.to(wider)).to(dtype)
    # torch returns some divisors of the smallest integer as negative numbers.
    return _magnitude(torch.gcd(a, b))


def lcm(a: Tensor, b: Tensor) -> Tensor:
    """The lowest common multiple, wrapped around; 0 where one number is 0."""
    dtype = a.dtype
    if dtype is torch.uint64:
        divisor = gcd(a, b)
        quotient = floor_divide(a, divisor).view(torch.int64)
        return (quotient * b.view(torch.int64)).view(dtype)
    wider = _WIDER.get(dtype)
    if wider is not None:
        return lcm(a.to(wider), b.to(wider)).to(dtype)
    divisor = gcd(a, b)
    quotient = torch.div(
        _magnitude(a), torch.where(divisor == 0, 1, divisor), rounding_mode="trunc"
    )
    return quotient * _magnitude(b)


def bitwise_count(x: Tensor) -> Tensor:
    """How many bits of the magnitude are set, as uint8."""
    if blocks.is_large(x):
        return blocks.mapped(_bits_of_block, _bits, x, torch.uint8)
    return _bits(x)


def _bits(x: Tensor) -> Tensor:
    if x.dtype in WIDE_UNSIGNED:
        wide = x.view(torch.int64) if x.dtype is torch.uint64 else x.to(torch.int64)
    else:
        wide = x.to(torch.int64)
        if x.dtype is not torch.uint8:
            wide = wide.abs()
    # Sums of neighbouring bits, then pairs, then nibbles; no partial sum reaches the sign bit.
    wide = wide - ((wide >> 1) & 0x5555555555555555)
    wide = (wide & 0x3333333333333333) + ((wide >> 2) & 0x3333333333333333)
    wide = (wide + (wide >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((wide * 0x0101010101010101) >> 56).to(torch.uint8)


_EVERY_BYTE = {1: 1, 2: 0x0101, 4: 0x01010101, 8: 0x0101010101010101}


def _bits_of_block(x: Tensor) -> Tensor:
    """``bitwise_count`` of a row in place, 64 bits at a time for every width of the numbers."""
    size, count = x.itemsize, x.numel()
    if x.dtype is torch.bool:
        return x
    bits = as_signed(x).clone() if x.dtype is torch.uint8 or x.dtype in WIDE_UNSIGNED else x.abs()
    words = bits.view(-1)
    if count * size % 8:  # the last block
        words = torch.nn.functional.pad(words, (0, -count % (8 // size)))
    words = words.view(torch.int64)
    part = (words >> 1).bitwise_and_(0x5555555555555555)
    words.sub_(part)
    torch.bitwise_right_shift(words, 2, out=part)
    words.sub_(part.bitwise_and_(0x3333333333333333), alpha=3)
    words.add_(torch.bitwise_right_shift(words, 4, out=part)).bitwise_and_(0x0F0F0F0F0F0F0F0F)
    # Each byte holds its count; the product holds their sum in its highest byte.
    counts = words.view(bits.dtype)[:count]
    return counts.mul_(_EVERY_BYTE[size]).bitwise_right_shift_(8 * size - 8) if size > 1 else counts


# --- division ---


def floor_divide_floating(a: Tensor, b: Tensor) -> Tensor:
    """Python's floor division, which is NumPy's; the standard's differs for infinities."""
    return torch.div(a, b, rounding_mode="floor")


def floor_divide(a: Tensor, b: Tensor) -> Tensor:
    """The floor of the quotient; 0 for an integer divisor of 0."""
    if a.dtype.is_floating_point:
        return floor_divide_floating(a, b)
    return standard_floor_divide.general(a, b)


def floor_divide_by(x: Tensor, number: float) -> Tensor:
    """The floor of the quotient by a Python number."""
    if x.dtype.is_floating_point:
        # On CUDA torch multiplies by the reciprocal of a number.
        return torch.div(
            x, number if x.get_device() < 0 else x.new_full((), number), rounding_mode="floor"
        )
    return _floor_divide_integers_by(x, number)


@or_numpys("floor_divide")
def _floor_divide_integers_by(x: Tensor, number: float) -> Tensor:
    assert standard_floor_divide.numbers is not None
    return standard_floor_divide.numbers.right(x, number)


def remainder(a: Tensor, b: Tensor) -> Tensor:
    """The remainder with the divisor's sign; 0 for an integer divisor of 0."""
    return standard_remainder.general(a, b)


def divmod(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Floor quotient and remainder."""
    return floor_divide(a, b), remainder(a, b)


_SCALE = {torch.float32: 2.0**120, torch.float64: 2.0**1000}


def _fmod_floating(a: Tensor, b: Tensor) -> Tensor:
    result = torch.fmod(a, b)
    if a.get_device() >= 0 or no_nan(result):
        return result
    # torch's vectorised fmod gives NaN where a / b overflows. The remainder of a multiple of
    # the divisor first changes nothing but keeps each quotient in range.
    multiple = b * _SCALE[a.dtype]
    a = torch.fmod(torch.fmod(a, multiple * _SCALE[a.dtype]), multiple)
    return torch.fmod(a, b)


def fmod(a: Tensor, b: Tensor) -> Tensor:
    """The remainder with the dividend's sign; 0 for an integer divisor of 0."""
    dtype = a.dtype
    if dtype in WIDE_UNSIGNED:
        return remainder(a, b)  # no number is negative
    if dtype.is_floating_point:
        return _fmod_floating(a, b)
    divisors = few_values(b)
    if divisors is not None and 0 not in divisors and -1 not in divisors:
        return torch.fmod(a, b)
    # torch raises for a zero divisor on the CPU, and the smallest integer by -1 traps.
    degenerate = b == 0 if dtype is torch.uint8 else (b == 0) | (b == -1)
    return torch.fmod(a, torch.where(degenerate, 1, b))


def power_of_signed(a: Tensor, b: Tensor) -> Tensor:
    """Powers of signed integers; the exponents are checked where reading them does not wait."""
    if a.numel():
        _refuse_negative(b)
    return torch.pow(a, b)


def _refuse_negative(exponents: Tensor) -> None:
    if possible(exponents):
        values = few_values(exponents)
        if bool((exponents < 0).any()) if values is None else any(n < 0 for n in values):
            raise ValueError(NEGATIVE_POWER)


NEGATIVE_POWER = "Integers to negative integer powers are not allowed."


def _whole_power(z: Tensor, n: Tensor, bits: int = 7) -> Tensor:
    """``z`` to the power of positive integers of a number of bits, by multiplications."""
    result = square = z
    bit = torch.arange(1, bits, device=n.device).reshape(-1, *[1] * n.dim())
    chosen = ((n >> bit) & 1).bool()
    started = (n & ((1 << bit) - 1)).bool()
    for i in range(bits - 1):
        square = square * square
        product = torch.where(started[i], result * square, square)
        result = torch.where(chosen[i], product, result)
    return result.clone() if result is z else result


def _power_of_complex(a: Tensor, b: Tensor) -> Tensor:
    """Powers of complex numbers; whole exponents by multiplications, which are exact in NumPy too.

    A trace, which cannot read exponents, computes both for all of them. A gradient, and an
    accelerator, where reading them waits, use the logarithm.
    """
    exponents = None if a.requires_grad or b.requires_grad else few_values(b)
    if exponents is not None and len(exponents) == 1:
        exponent = exponents[0]
        if not exponent.imag and exponent.real in _WHOLE and b.dim() <= a.dim():
            return _power_by_whole(a, int(exponent.real))
    if exponents and _WHOLE_OR_ZERO.issuperset(exponents):
        return _powers_by_whole(a, b.real, [e.real for e in exponents])
    result = standard_pow.general(a, b)
    tracing = is_dynamo_compiling()
    if result.requires_grad or not (tracing or possible(b)):
        return result
    n = b.real
    whole = (b.imag == 0) & (n == torch.trunc(n)) & (n.abs() < 100) & (n != 0)
    if not tracing and not bool(whole.any()):
        return result
    exponent = torch.where(whole, n.abs(), 1.0).to(torch.int64)
    base, exponent = torch.broadcast_tensors(a, exponent)
    exact = _whole_power(base, exponent)
    exact = torch.where(n < 0, reciprocal_complex(exact), exact)
    return torch.where(whole, exact, result)


_WHOLE_OR_ZERO = frozenset(range(-99, 100))
_WHOLE = _WHOLE_OR_ZERO - {0}


def _powers_by_whole(z: Tensor, n: Tensor, exponents: list[float]) -> Tensor:
    """Powers where all exponents, which ``n`` holds as floats, are whole: no logarithm is taken."""
    low, high = min(exponents), max(exponents)
    base, n = torch.broadcast_tensors(z, n)
    bits = max(int(max(-low, high)).bit_length(), 1)
    result = _whole_power(base, n.abs().to(torch.int64), bits)
    if low < 0:
        result = torch.where(n < 0, reciprocal_complex(result), result)
    return torch.where(n == 0, 1.0, result) if 0.0 in exponents else result


def _power_by_whole(z: Tensor, n: int) -> Tensor:
    """The multiplications of ``_whole_power``, where all elements have one exponent."""
    result = power_by_whole(z, abs(n))
    return reciprocal_complex(result) if n < 0 else result


def power(a: Tensor, b: Tensor) -> Tensor:
    """Powers of every numeric dtype."""
    if a.dtype in SIGNED_TWIN.values():
        return power_of_signed(a, b)
    if a.dtype.is_complex:
        return _power_of_complex(a, b)
    return standard_pow.general(a, b)


def power_by(x: Tensor, number: float) -> Tensor:
    """Powers by a Python number, which is looked at on every device."""
    if number < 0 and not (x.dtype.is_floating_point or x.dtype.is_complex):
        if x.numel():
            raise ValueError(NEGATIVE_POWER)
        return x.clone()
    if x.dtype.is_complex:
        if number in _WHOLE:
            return _power_by_whole(x, int(number))
        return power(x, x.new_full((), number))
    if number == 0.5 and x.dtype in (torch.float32, torch.float64):
        return torch.sqrt(x)  # as in NumPy; it differs from the power for -0.0 and -inf
    assert standard_pow.numbers is not None
    return standard_pow.numbers.right(x, number)


def power_of(x: Tensor, number: float) -> Tensor:
    """Powers of a Python number; integer exponents are looked at as in ``power_of_signed``."""
    if x.dtype.is_complex:
        return power(x.new_full((), number), x)
    if not x.dtype.is_floating_point:
        _refuse_negative(x)
    return torch.pow(number, x)


def left_shift_by(x: Tensor, number: int) -> Tensor:
    """A shift by a Python int; 0 beyond the width and, as in NumPy, for a negative one."""
    if 0 <= number < x.dtype.itemsize * 8:
        return torch.bitwise_left_shift(x, number)
    return torch.zeros_like(x)


def right_shift_by(x: Tensor, number: int) -> Tensor:
    """A shift by a Python int; only the sign is left beyond the width and for a negative one."""
    last = x.dtype.itemsize * 8 - 1
    if x.dtype is torch.uint8 and not 0 <= number <= last:
        return torch.zeros_like(x)
    return torch.bitwise_right_shift(x, number if 0 <= number <= last else last)


def reciprocal_integer(x: Tensor) -> Tensor:
    """1 / x rounded toward zero; for 0, what NumPy's cast of infinity gives on x86-64."""
    signed = as_signed(x)
    dtype = x.dtype
    if dtype is torch.uint8 or dtype in WIDE_UNSIGNED:
        return (signed == 1).to(signed.dtype).view(dtype)
    result = torch.where(signed.abs() == 1, signed, torch.zeros_like(signed))
    if dtype in (torch.int32, torch.int64):
        result = torch.where(signed == 0, torch.iinfo(dtype).min, result)
    return result


# --- comparison ---


def _ordered(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """An int64 and a uint64 tensor as int64 in their order, where the first is not negative."""
    return a ^ torch.iinfo(torch.int64).min, to_ordered(b)


def equal_mixed(a: Tensor, b: Tensor) -> Tensor:
    """Whether an int64 and a uint64 number are equal."""
    return torch.eq(a, b.view(torch.int64)) & (a >= 0)


def less_mixed(a: Tensor, b: Tensor) -> Tensor:
    """Whether an int64 number is less than a uint64 one."""
    return torch.lt(*_ordered(a, b)) | (a < 0)


def less_equal_mixed(a: Tensor, b: Tensor) -> Tensor:
    """Whether an int64 number is at most a uint64 one."""
    return torch.le(*_ordered(a, b)) | (a < 0)
