import { brokenCases } from '../../test/rolebook/broken/broken-cases.ts'

const HEAD = /^\S+:\d+:\d+ (?:error|warning) (RB\d{4}) /
const DECISION = /^DECIDE .*: (RB\d{4}) /

/** Examples that no case small enough to keep brings about. */
const WRITTEN: Readonly<Record<string, string>> = {
  RB1305: 'roles:1:1 error RB1305 the folder holds more than 2000 files of roles',
  RB1319: [
    '/etc/rolebook/watches.yaml:1:1 error RB1319 is mounted by itself: the kubelet never updates it, so changes would not be followed',
    '  hint: mount the whole folder of the ConfigMap, without `subPath`',
  ].join('\n'),
}

/** The page with what is printed of a broken case, for each code: the shortest report that has a remedy, if any has. */
export function withExamples(page: string): string {
  const found = examples()
  const sections = page.split(/^(?=###? )/m)
  return sections.map((section) => withExample(section, found)).join('')
}

function withExample(section: string, found: ReadonlyMap<string, string>): string {
  const [, code = ''] = /^### (RB\d{4})/.exec(section) ?? []
  const example = found.get(code)
  if (example === undefined) return section
  const [words = ''] = section.split('\n**Example.**')
  return `${words.trimEnd()}\n\n**Example.**\n\n\`\`\`text\n${example}\n\`\`\`\n\n`
}

function examples(): ReadonlyMap<string, string> {
  const found = new Map(Object.entries(WRITTEN))
  for (const { expected = '' } of brokenCases()) {
    for (const [code, report] of reportsIn(expected)) {
      const known = found.get(code)
      if (known === undefined || worth(report) < worth(known)) found.set(code, report)
    }
  }
  return found
}

/** Less is better: a remedy first, then few characters. */
function worth(report: string): number {
  return (/^\s+hint: /m.test(report) ? 0 : 10_000) + report.length
}

function reportsIn(text: string): readonly (readonly [code: string, report: string])[] {
  const decisions = text.split(/\n(?=\S)/)
  return [...text.split('\n\n'), ...decisions].flatMap((report) => {
    const [, code] = HEAD.exec(report) ?? DECISION.exec(report) ?? []
    return code === undefined ? [] : [[code, report.trimEnd()] as const]
  })
}
