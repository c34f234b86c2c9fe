import { existsSync, readFileSync } from 'node:fs'
import type { PageFile } from '../dashboard/dashboard-routes.ts'
import { UsageError } from './command.ts'

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'styles.css': 'text/css; charset=utf-8',
}

/**
 * The files of the dashboard's page by name. They lie beside the bundle in a release, and in `dist` in a checkout.
 *
 * @throws UsageError when they are not built
 */
export function dashboardPage(): ReadonlyMap<string, PageFile> {
  const beside = new URL('dashboard/', import.meta.url)
  const folder = existsSync(beside) ? beside : new URL('../../../dist/dashboard/', import.meta.url)
  if (!existsSync(folder))
    throw new UsageError("cannot show the dashboard: its page is not built ('npm run build' does)")
  const entries = Object.entries(TYPES).map(([name, contentType]) => {
    return [name, { contentType, text: readFileSync(new URL(name, folder), 'utf8') }] as const
  })
  return new Map(entries)
}
