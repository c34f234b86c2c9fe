import type { Difference } from './compare.ts'

/** What is known of a difference before it has a reason. */
export type Unexplained = Omit<Difference, 'reason'>

interface Explanation {
  /** Stands in docs/sandbox-differences.md. */
  readonly reason: string
  readonly applies: (difference: Unexplained) => boolean
}

/** Of an answer: the end of a complaint that shows both states of an object, line by line. */
const CHANGES = /\\n@@.*?(?="\])/gs
/** Of an answer: a value that is an object. */
const STRUCT = /Invalid value: \{.*?\}(?=: (?:field is immutable|may only|must))/gs

export const EXPLAINED: readonly Explanation[] = [
  {
    reason: 'the real server adds what differs, in its own notation of structs',
    applies: (difference) => isSameBut(difference, CHANGES),
  },
  {
    reason: 'the real server shows the spec in its own notation of structs',
    applies: (difference) => isKind(difference, 'VolumeAttachment') && isSameBut(difference, STRUCT),
  },
  {
    reason: 'the real server shows the template in its own notation of structs',
    applies: (difference) => isKind(difference, 'Job') && isSameBut(difference, STRUCT),
  },
  {
    reason: 'the real server distinguishes an empty map or list from none',
    applies: (difference) => isSameBut(withNulls(difference), CHANGES),
  },
  {
    reason: 'the real server breaks the connection off',
    applies: ({ recorded }) => recorded.startsWith('{"status":0,'),
  },
  {
    reason: 'the administrators of both servers have other names',
    applies: (difference) =>
      isKind(difference, 'SelfSubjectReview', 'CertificateSigningRequest') &&
      difference.type === 'object' &&
      difference.recorded.includes('X509SHA256='),
  },
  {
    reason: 'the real server lists what a user may do in no fixed order',
    applies: (difference) => isKind(difference, 'SelfSubjectRulesReview') && difference.type === 'object',
  },
  {
    reason: 'the sandbox always counts what a quota limits, the real server has a controller for it',
    applies: (difference) =>
      isKind(difference, 'ResourceQuota') && (difference.type === 'object' || difference.type === 'managedFields'),
  },
  {
    reason: 'the real server writes what autoscaling/v1 cannot say into annotations',
    applies: (difference) =>
      difference.kind === 'autoscaling.v1.HorizontalPodAutoscaler' &&
      (difference.recorded.includes('autoscaling.alpha.kubernetes.io/') || isReadFromAnnotations(difference)),
  },
]

/** Why the sandbox may differ there, if there is a reason. */
export function reasonFor(difference: Unexplained): string | undefined {
  return EXPLAINED.find(({ applies }) => applies(difference))?.reason
}

/** What the server reads back from annotations counts more than the field; without its annotations, it is gone. */
function isReadFromAnnotations({ each: { path }, type }: Unexplained): boolean {
  const [first, second] = path
  const isReadBack = first === 'status' && (second === undefined || second === 'currentCPUUtilizationPercentage')
  return (isReadBack || second === 'annotations') && (type === 'object' || type === 'managedFields')
}

function isKind({ kind }: Pick<Difference, 'kind'>, ...names: readonly string[]): boolean {
  return names.includes(kind.slice(kind.lastIndexOf('.') + 1))
}

/** An empty list in a value that a complaint shows. */
function withNulls(difference: Unexplained): Unexplained {
  const [recorded, given] = [difference.recorded, difference.given].map((text) => text.replaceAll(':[]', ':null'))
  return { ...difference, recorded: recorded ?? '', given: given ?? '' }
}

function isSameBut({ recorded, given }: Unexplained, pattern: RegExp): boolean {
  return recorded.replace(pattern, '') === given.replace(pattern, '')
}
