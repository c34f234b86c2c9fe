/**
 * Gives a WebAssembly module with a memory of its own a maximum for it. Go has no option for that, and without one a
 * module may take all that there is.
 */
export function limitWasmMemory(wasm: Uint8Array, pages: number): Uint8Array {
  const HEADER = 8
  for (let at = HEADER; at < wasm.length; ) {
    const size = readNumber(wasm, at + 1)
    const end = size.next + size.value
    if (wasm[at] === MEMORY_SECTION) {
      const section = limited(wasm.subarray(size.next, end), pages)
      return Buffer.concat([wasm.subarray(0, at + 1), printNumber(section.length), section, wasm.subarray(end)])
    }
    at = end
  }
  throw new Error('cannot limit the memory: the module has no memory section')
}

const MEMORY_SECTION = 5

/** One memory: a flag that says whether there is a maximum, the minimum, the maximum. */
function limited(section: Uint8Array, pages: number): Uint8Array {
  if (section[0] !== 1 || section[1] !== 0) throw new Error('cannot limit the memory: it is not one without a limit')
  const minimum = section.subarray(2, readNumber(section, 2).next)
  return Buffer.concat([Buffer.from([1, 1]), minimum, printNumber(pages)])
}

/** A number in LEB128: seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let shift = 0, next = at; ; shift += 7) {
    const byte = bytes[next++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, next }
  }
}

function printNumber(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
