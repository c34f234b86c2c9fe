import zlib from 'node:zlib'
import { ChartFailure } from './chart-failure.ts'

/** @throws ChartFailure on a Node that cannot unpack the renderer; without this check, its thread would only say that it cannot start */
export function refuseOldNode(): void {
  if ('zstdDecompressSync' in zlib) return
  throw new ChartFailure(
    'engine',
    'cannot render charts: this Node cannot unpack the renderer (install Node 22.19 or newer)',
  )
}
