import type { ProjectTexts } from '../protocol.ts'
import { exampleOf, fromFragment } from '../share-link.ts'
import { TOUR_ROLE, tourFiles } from '../tour.ts'

/** A project that the page brings along. */
export interface ShippedProject {
  readonly name: string
  readonly files: ProjectTexts
}

/** The name of the project of the tour, and the fragment that opens it. */
export const TOUR = 'tour'

/**
 * The project of a link, the example that it names, or that of the tour. Without either it is the first.
 *
 * @throws Error when there is no such project
 */
export async function askedFor(fragment: string, shipped: readonly ShippedProject[]): Promise<ShippedProject> {
  if (isTourAsked(fragment)) return tourOf(shipped)
  const files = await fromFragment(fragment)
  if (files) return { name: '', files }
  const names = shipped.map(({ name }) => name)
  const wanted = exampleOf(fragment, names)
  return shipped.find(({ name }) => name === wanted) ?? firstOf(shipped)
}

export function isTourAsked(fragment: string): boolean {
  return fragment === `#${TOUR}`
}

export function tourOf(shipped: readonly ShippedProject[]): ShippedProject {
  const { files } = shipped.find(({ name }) => name === TOUR_ROLE) ?? firstOf(shipped)
  return { name: TOUR, files: tourFiles(files) }
}

/** What a person wants to read first. */
export function mainFileOf(files: ProjectTexts): string {
  const paths = Object.keys(files)
  return paths.find((path) => path.endsWith('role.yaml')) ?? paths[0] ?? ''
}

export function firstOf([first]: readonly ShippedProject[]): ShippedProject {
  return first ?? { name: '', files: {} }
}
