import type { ProjectTexts } from '../protocol.ts'
import { checkedProject } from '../share-link.ts'

/** A project that a person has changed, and the file in the editor. */
export interface KeptProject {
  readonly files: ProjectTexts
  readonly file: string
}

const KEY = 'rolebook playground'

/** For when the tab is loaded again. A browser that keeps nothing is not a mistake: then the address says what is opened. */
export function keepProject(fragment: string, project: KeptProject | undefined): void {
  try {
    if (project) sessionStorage.setItem(KEY, JSON.stringify({ fragment, ...project }))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Storage is full, or the browser forbids it.
  }
}

/** What was kept in this tab for an address. */
export function keptProject(fragment: string): KeptProject | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return kept?.fragment === fragment ? { files: checkedProject(kept.files), file: String(kept.file) } : undefined
  } catch {
    return undefined
  }
}
