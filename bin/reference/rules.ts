import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A rule of the role language. Each test is `path › title › title`, or `path › name` of a case of `test/rolebook/broken`. */
export interface Rule {
  readonly section: string
  readonly rule: string
  readonly tests: readonly string[]
}

/** Where the table of rules stands. */
export const RULES_PAGE = 'docs/contributing/rules-and-tests.md'
const FILE = join(import.meta.dirname, '../../test/docs/rules.yaml')

export function readRules(text = readFileSync(FILE, 'utf8')): readonly Rule[] {
  const sections = Object.entries(parse(text) as Readonly<Record<string, readonly Omit<Rule, 'section'>[]>>)
  return sections.flatMap(([section, rules]) => rules.map((rule) => ({ section, ...rule })))
}

/** The table of rules, for a page two folders deep. */
export function ruleTable(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ section, rule, tests }) => `| ${section} | ${escapeCell(rule)} | ${tests.map(link).join('<br>')} |\n`,
  )
  return `| § | Rule | Test |\n| --- | --- | --- |\n${rows.join('')}`
}

function link(test: string): string {
  const [path = '', ...titles] = test.split(' › ')
  const shown = path.replace(/^test\//, '').replace(/\.test\.ts$|\.md$/, '')
  return [`[${shown}](../../${path})`, ...titles.map((title) => inCode(escapeCell(title)))].join(' › ')
}

/** A title may hold backquotes itself. */
function inCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
