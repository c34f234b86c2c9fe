/** A version of the changelog, newest first. */
export interface Release {
  /** `Unreleased` for what has no version yet. */
  readonly version: string
  readonly date?: string | undefined
  readonly notes: string
}

export function releasesIn(changelog: string): readonly Release[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [, version = '', date] = /^(\S+)(?: - (\d{4}-\d\d-\d\d))?$/m.exec(section) ?? []
    return { version, date, notes: section.slice(section.indexOf('\n')).trim() }
  })
}

/** What a version has changed; `undefined` when the changelog does not have it with a date. */
export function notesOf(version: string, changelog: string): string | undefined {
  return releasesIn(changelog).find((one) => one.version === version && one.date !== undefined)?.notes
}
