/** Calls `work` for 0 … count − 1, so many at a time. */
export async function inParallel(
  count: number,
  work: (index: number) => Promise<unknown>,
  workers: number,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
