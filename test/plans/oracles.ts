import type { ArmedFault, SeenRequest } from './fault-gate.ts'
import { isList, isWrite } from './fault-kind.ts'
import type { LifeEvidence, StepEvidence } from './run-life.ts'
import { textDifference } from './text-difference.ts'
import type { StatusMoment } from './witness.ts'

/** A life with faults, and the one without. */
export interface Lives {
  readonly seen: LifeEvidence
  readonly reference: LifeEvidence
}

/** What must hold in each life, whatever went wrong in it. */
export interface Oracle {
  readonly name: string
  readonly reason: string
  /** What is not as it must be, in texts. */
  divergences(lives: Lives): readonly string[]
}

/** Beside the requests of a life without faults: what retries and a second process may cost. */
const MORE_REQUESTS = 200

export const ORACLES: readonly Oracle[] = [
  {
    name: 'same end',
    reason:
      'After each step the cluster is in every field what it is in the life without faults: faults that have passed leave no trace.',
    divergences: ({ seen, reference }) =>
      seen.steps.flatMap(({ step, snapshot }, index) => {
        const { more, missing } = textDifference(snapshot, reference.steps[index]?.snapshot ?? [])
        const at = `after "${step.name}"`
        return [...more.map((text) => `${at} there is ${text}`), ...missing.map((text) => `${at} there is no ${text}`)]
      }),
  },
  {
    name: 'nothing made twice',
    reason:
      'A second creation of a child means that the first was not seen: a Job would run again, data would be lost.',
    divergences: (lives) => differentCounts(lives, 'created', 'was made'),
  },
  {
    name: 'nothing removed needlessly',
    reason: 'A child that is removed and made again ends as it should, and was an outage.',
    divergences: (lives) => differentCounts(lives, 'deleted', 'was removed'),
  },
  {
    name: 'generated values stay',
    reason: 'What reads a password reads it once; another one locks it out.',
    divergences: (lives) => differentCounts(lives, 'changedValues', 'became another value'),
  },
  {
    name: 'nothing foreign touched',
    reason:
      'The engine writes only to what it also writes to without faults, and an object that only looks like a child stays as it is.',
    divergences: ({ seen, reference }) => {
      const allowed = new Set(reference.requests.filter(isWrite).map(writtenTo))
      const strange = seen.requests.filter((request) => isWrite(request) && !allowed.has(writtenTo(request)))
      const [before, after] = seen.bystander
      return [
        ...new Set(strange.map((request) => `it wrote ${writtenTo(request)}`)),
        ...(before === after ? [] : ['an object that is not a child was written']),
      ]
    },
  },
  {
    name: 'rest',
    reason:
      'A resource that nothing happens to costs no write, not even one that changes nothing. Where a fault strikes while it rests, or a cache still holds the false list of one, something happens to it.',
    divergences: ({ seen }) =>
      seen.steps
        .filter(({ step, requests }) => step.atRest && !requests.some(({ isStruck }) => isStruck))
        .flatMap(({ requests }) => requests.filter(isWrite).filter(isOfResources))
        .filter((write) => !isMisled(write, seen))
        .map((write) => `at rest it wrote ${writtenTo(write)}`),
  },
  {
    name: 'true conditions',
    reason:
      'Scripts and GitOps tools act on `Ready` of the present generation at the moment at which it appears: by then the children are as the spec says.',
    divergences: ({ seen, reference }) =>
      seen.steps.flatMap((evidence, index) => lies(evidence, reference.steps[index])),
  },
  {
    name: 'generations in order',
    reason:
      '`observedGeneration` never goes back, and a transition has a time of its own exactly when the status changes.',
    divergences: ({ seen }) => disorder(seen.steps.flatMap(({ moments }) => moments)),
  },
  {
    name: 'nothing left',
    reason: 'A child must not outlive its owner: only a deletion with orphan may leave one.',
    divergences: ({ seen, reference }) =>
      seen.steps.flatMap(({ step, orphans }, index) =>
        textDifference(orphans, reference.steps[index]?.orphans ?? []).more.map(
          (name) => `after "${step.name}" ${name} has no owner`,
        ),
      ),
  },
  {
    name: 'no secret published',
    reason: 'Errors quote what was sent; a status or an Event is read by many who may not read the Secret.',
    divergences: ({ seen }) =>
      [...seen.secrets].filter((value) => isIn(value, seen.published)).map(() => 'a value of a Secret was published'),
  },
  {
    name: 'bounded requests',
    reason: 'A fault must not become a storm: retries are backed off. What is renewed as time goes by is not counted.',
    divergences: ({ seen, reference }) => {
      const [count = 0, usual = 0] = [seen, reference].map(({ requests }) => requests.filter(isNoWatch).length)
      return count <= usual + MORE_REQUESTS ? [] : [`${count} requests, where ${usual} do`]
    },
  },
  {
    name: 'no unexpected end',
    reason: 'Nothing rejects unheard, no controller ends by a defect, and a process that is asked to stop does.',
    divergences: ({ seen }) => seen.problems,
  },
]

function differentCounts(
  { seen, reference }: Lives,
  what: 'created' | 'deleted' | 'changedValues',
  verb: string,
): readonly string[] {
  const last = seen.steps.at(-1)
  const expected = reference.steps[seen.steps.length - 1]?.[what]
  const names = new Set([...(last?.[what].keys() ?? []), ...(expected?.keys() ?? [])])
  return [...names].flatMap((name) => {
    const [count, wanted] = [last?.[what].get(name) ?? 0, expected?.get(name) ?? 0]
    return count === wanted ? [] : [`${name} ${verb} ${count} times, not ${wanted}`]
  })
}

function isNoWatch({ verb }: SeenRequest): boolean {
  return verb !== 'watch' && verb !== 'list'
}

/** Whether a fault has struck one of the requests. */
export function struckIn({ firedAt }: ArmedFault, requests: readonly SeenRequest[]): boolean {
  return requests.some(({ index }) => index === firedAt)
}

/** Whether a cache holds a false list when the request is sent: its informer has not listed again since. */
function isMisled({ index }: SeenRequest, { faults, requests }: LifeEvidence): boolean {
  return faults.some(({ kind, firedAt = Number.POSITIVE_INFINITY }) => {
    if (kind.misleads !== true || index < firedAt) return false
    const misled = requests.find((request) => request.index === firedAt)
    const informer = misled && informerOf(misled)
    const isMended = (later: SeenRequest): boolean => isWholeList(later) && informerOf(later) === informer
    return !requests.some((later) => later.index > firedAt && later.index < index && isMended(later))
  })
}

/** A list that replaces a cache: not the look whether a watch can go on, nor the comparison of a cache with the server. */
function isWholeList(request: SeenRequest): boolean {
  return isList(request) && !/[?&](limit=1|resourceVersionMatch=Exact)(&|$)/.test(request.url)
}

/** Several informers of one kind differ by their labels. */
function informerOf({ path, url }: SeenRequest): string {
  return `${path} ${new URLSearchParams(url.split('?', 2)[1]).get('labelSelector') ?? ''}`
}

function writtenTo({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace(/\/events(\/.*)?$/, '/events')}`
}

/** Events are records; the ledger is the installation's. */
function isOfResources({ path }: { readonly path: string }): boolean {
  return !/\/events(\/|$)|\/rolebook-ledger$/.test(path)
}

/** Moments at which `Ready` was true of the present generation, and a child was not what it is in the end. */
function lies({ step, moments }: StepEvidence, reference: StepEvidence | undefined): readonly string[] {
  if (!step.changesSpec) return []
  return moments
    .filter(({ ready, generation, observedGeneration }) => ready === 'True' && generation === observedGeneration)
    .flatMap(({ content, generation }) =>
      textDifference(content, reference?.content ?? []).missing.map(
        (text) => `during "${step.name}" Ready was true of generation ${generation} without ${text}`,
      ),
    )
}

function disorder(moments: readonly StatusMoment[]): readonly string[] {
  return moments.flatMap((moment, index) => {
    const before = moments.slice(0, index).findLast(({ uid }) => uid === moment.uid)
    if (!before) return []
    const { ready, since, observedGeneration } = moment
    const hasMoved = since !== before.since
    return [
      ...(observedGeneration < before.observedGeneration
        ? [`observedGeneration went back to ${observedGeneration}`]
        : []),
      ...(hasMoved && ready === before.ready ? ['lastTransitionTime moved and the status did not'] : []),
    ]
  })
}

/** Shorter ones stand in other texts by chance. */
const SHORTEST_SECRET = 6

function isIn(base64: string, published: ReadonlySet<string>): boolean {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  if (text.length < SHORTEST_SECRET) return false
  return [...published].some((each) => each.includes(text) || each.includes(base64))
}
