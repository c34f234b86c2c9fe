import type { Found, RandomReport } from './run-random.ts'

/** What a random run came to, with the shortest sequence of each difference. */
export function printReport({ steps, sequences, found }: RandomReport): string {
  return `${found.map(printFound).join('')}\n${steps} steps in ${sequences} sequences, ${found.length} differences\n`
}

function printFound({ seed, path, subject, actions, difference }: Found): string {
  const { step, request, real, sandbox } = difference
  const lines = actions.map(({ verb, subresource, manager, version, dryRun, force, lock, validation, body }) => {
    const flags = [
      manager,
      force && 'force',
      dryRun && 'dry',
      validation,
      verb === 'put' && lock,
      version > 0 && `v${version + 1}`,
    ]
    return `  ${verb} ${subresource} ${flags.filter(Boolean).join(' ')} ${JSON.stringify(body)}`
  })
  const schema = subject.definition ? `\n  ${JSON.stringify(subject.definition.spec)}` : ''
  const head = `\n=== ${subject.kind}: seed ${seed}, path ${path}${schema}\n${lines.join('\n')}`
  const asked = `${request.method} ${request.path}\n  ${request.body ?? ''}`
  return `${head}\n  step ${step}: ${asked}\n${differentLines(real, sandbox)}\n`
}

/** Only the lines around the first difference, and all that only one server has. */
export function differentLines(real: string, sandbox: string): string {
  const [left, right] = [real.split('\n'), sandbox.split('\n')]
  let start = 0
  while (start < left.length && left[start] === right[start]) start++
  let end = 0
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end++
  const part = (lines: readonly string[]): string =>
    lines
      .slice(Math.max(0, start - 4), lines.length - Math.max(0, end - 2))
      .join('\n')
      .slice(0, 6000)
  return `--- real\n${part(left)}\n--- sandbox\n${part(right)}`
}
