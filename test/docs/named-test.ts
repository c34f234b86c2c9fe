import { existsSync, readFileSync } from 'node:fs'
import { parseCases } from '../rolebook/broken/case-file.ts'
import { TestTitles } from './test-titles.ts'

/** Files are read once: many rules name tests of the same one. */
const read = new Map<string, (titles: readonly string[]) => boolean>()

/**
 * What is wrong with a test that a page names: `path › title › title`, or `path › name` of a case of `test/rolebook/broken`.
 * A path alone stands for all tests of the file.
 */
export function faultOfTest(test: string): string | undefined {
  const [path = '', ...titles] = test.split(' › ')
  if (!existsSync(path)) return `there is no file ${path}`
  const has = read.get(path) ?? titlesOf(path)
  read.set(path, has)
  return titles.length === 0 || has(titles) ? undefined : `no test of ${path} has the title ${titles.join(' › ')}`
}

function titlesOf(path: string): (titles: readonly string[]) => boolean {
  if (!path.endsWith('.md')) {
    const tests = TestTitles.ofFile(path)
    return (titles) => tests.has(titles)
  }
  const names = parseCases(readFileSync(path, 'utf8')).map(({ name }) => name)
  return ([name = '', ...more]) => more.length === 0 && names.includes(name)
}
