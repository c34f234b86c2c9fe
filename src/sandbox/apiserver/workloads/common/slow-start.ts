import type { ApiError } from '../../../../core/kube/api-error.ts'

/** Tries in batches that grow while nothing is refused, so that little is tried in vain. Returns the first refusal. */
export function slowStart<T>(items: readonly T[], attempt: (item: T) => ApiError | undefined): ApiError | undefined {
  for (let start = 0, size = 1; start < items.length; start += size, size *= 2) {
    const [refusal] = items.slice(start, start + size).flatMap((item) => attempt(item) ?? [])
    if (refusal) return refusal
  }
  return undefined
}
