/** Whether a request is about other objects than Leases. */
export function isWork(path: string): boolean {
  return !/\/leases\b/.test(path)
}
