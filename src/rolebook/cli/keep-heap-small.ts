import { setFlagsFromString } from 'node:v8'

/** By how much what is in use may grow before it is collected again, in percent of what the last collection left. */
export interface HeapGrowth {
  readonly growth: number
}

/**
 * Lets a program with thousands of objects take about half the memory, for some more CPU. The space for young objects stays at
 * the megabyte that it starts with, where V8 lets it grow to 64 of them, and the rest is collected after `growth`, where V8
 * lets it grow to four times of what was left.
 */
export function keepHeapSmall({ growth }: HeapGrowth): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${growth}`)
  freeCompilerMemory()
}

/**
 * What V8's middle compiler has allocated is freed where it finishes. On its background threads that waits behind other
 * work, tens of megabytes of it, and a process does not get smaller again.
 */
function freeCompilerMemory(): void {
  setFlagsFromString('--no-maglev-destroy-on-background')
}
