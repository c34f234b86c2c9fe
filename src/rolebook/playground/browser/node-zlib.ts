/** Stands for `node:zlib` in the page, where what the program unpacks was unpacked when it was fetched. */
export function brotliDecompressSync(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function zstdDecompressSync(bytes: Uint8Array): Uint8Array {
  return bytes
}
