import type { StepEvidence } from './run-life.ts'

/** What happened in a step: the requests, and each status of the resource. */
export function printStep({ step, requests, moments }: StepEvidence, fired: ReadonlySet<number | undefined>): string {
  const lines = [
    step.name,
    ...requests.map(({ index, verb, url, status }) => {
      const mark = fired.has(index) ? '  <- the fault' : ''
      return `  ${String(index).padStart(4)} ${verb} ${url} ${status || 'no answer'}${mark}`
    }),
    ...moments.map(
      ({ ready, observedGeneration, generation, message }) =>
        `       Ready ${ready} of generation ${observedGeneration} where it is ${generation}: ${message}`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
