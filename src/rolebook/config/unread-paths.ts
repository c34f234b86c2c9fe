/** What stands in the folder of a role and is neither a file of tasks nor a text. */
export const OTHER_PURPOSES: ReadonlySet<string> = new Set(['role.yaml', 'crd.yaml', 'samples', 'tests', 'charts'])
/** Folders within each other: links may lead round in circles. */
export const MAX_DEPTH = 8

/** What to do about a path below the folder of a role at which no file is read. `undefined` for any other. */
export function whyUnread(path: string): string | undefined {
  const steps = path.split('/')
  const [first = ''] = steps
  if (steps.some((step) => step.startsWith('.'))) return 'names that begin with `.` are not read: rename it'
  if (steps.length > MAX_DEPTH) return `a path of more than ${MAX_DEPTH} names is not read: move it further up`
  if (OTHER_PURPOSES.has(first)) return `\`${first}\` of a role has another purpose: put the file beside it`
  if (first === 'files' || path.endsWith('.yaml')) return undefined
  return 'files of tasks are only read when their names end in `.yaml`: rename it'
}
