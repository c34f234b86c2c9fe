import { refused } from '../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import { jsonReply, type Reply, type Silence, textReply } from '../../src/sandbox/apiserver/http/reply.ts'
import { failureReply } from '../support/failure-reply.ts'
import type { SeenRequest } from './fault-gate.ts'
import { acting, type Blow, type FaultKind, isAny, isList, isWatch, isWrite, type World } from './fault-kind.ts'
import { brokenWithin, isInitialEnd, listedAsWatch, losingOne, reordered, spoiled } from './watch-frames.ts'

/** What can go wrong at a request, in the order of the numbers in `docs/`: of the way there, the answer, the watch, the process and the world. */
export const FAULT_KINDS: readonly FaultKind[] = [
  // The way there and back.
  { name: 'refused', fits: isAny, strike: () => Promise.reject(refused()) },
  { name: 'reset-before', fits: isAny, strike: acting({ drop: 'before' }) },
  { name: 'reset-after', fits: isWrite, strike: acting({ drop: 'after' }) },
  { name: 'hang-before', fits: isAny, strike: acting({ stall: 'before' }) },
  {
    name: 'hang-after',
    fits: isWrite,
    async strike({ serve }) {
      await serve()
      return 'stall'
    },
  },
  { name: 'slow', fits: isAny, strike: acting({ latency: 20_000 }) },
  { name: 'cut-answer', fits: (request) => !isWatch(request), strike: acting({ truncate: 40 }) },
  { name: 'stalled-answer', fits: (request) => !isWatch(request), strike: acting({ stall: 40 }) },
  { name: 'garbage', fits: isAny, strike: async () => textReply('<html>\u0000 a proxy</html>') },

  // What the server answers.
  { name: 'http-409', fits: isWrite, strike: answering(409, 'Conflict') },
  { name: 'http-409-exists', fits: isCreation, strike: answering(409, 'AlreadyExists') },
  { name: 'http-410', fits: (request) => isList(request) || isWatch(request), strike: answering(410, 'Expired') },
  { name: 'http-413', fits: isWrite, strike: standing(1, answer(413, 'RequestEntityTooLarge')) },
  {
    name: 'http-422',
    fits: isWrite,
    strike: standing(2, answer(422, 'Invalid', 'provided port is already allocated')),
  },
  {
    name: 'http-429',
    fits: isAny,
    strike: async () => withHeader(textReply('Too many requests', 429), 'Retry-After', '3'),
  },
  { name: 'http-429-status', fits: isWrite, strike: standing(2, answer(429, 'TooManyRequests')) },
  { name: 'http-500', fits: isAny, strike: answering(500, 'InternalError') },
  {
    name: 'http-502',
    fits: isAny,
    strike: async () => ({ ...textReply('<html>Bad Gateway</html>', 502), contentType: 'text/html' }),
  },
  {
    name: 'http-503',
    fits: isAny,
    strike: async () => withHeader(answer(503, 'ServiceUnavailable'), 'Retry-After', '2'),
  },
  { name: 'http-504-after', fits: isWrite, strike: afterwards(answer(504, 'Timeout')) },
  { name: 'http-500-storm', fits: isAny, strike: standing(6, answer(500, 'InternalError')) },

  // Who may do what.
  { name: 'token-expired', fits: isAny, strike: forAWhile(20_000, answer(401, 'Unauthorized'), () => isAny) },
  { name: 'right-taken', fits: isAny, strike: forAWhile(45_000, answer(403, 'Forbidden', 'it may not'), isAlike) },

  // Lists.
  {
    name: 'list-empty',
    misleads: true,
    fits: isList,
    async strike({ serve, request }) {
      const reply = await serve()
      if (!request.streamsList) return withoutItems(reply)
      let isListed = false
      return spoiled(reply, (frame) => {
        isListed ||= isInitialEnd(frame)
        return isListed ? [frame] : []
      })
    },
  },
  {
    name: 'list-stale',
    misleads: true,
    // One list asks what an owner has, before its finalizer goes. It is a consistent read, and no server answers such a
    // read from the past. An informer gets the past when its server has fallen behind.
    fits: (request) => isList(request) && !request.url.includes('owner-uid%3D'),
    async strike({ serve, request, world }) {
      const [path = '', search = ''] = request.url.split('?', 2)
      const query = new URLSearchParams(search)
      for (const name of ['watch', 'sendInitialEvents', 'resourceVersionMatch', 'allowWatchBookmarks'])
        query.delete(name)
      query.set('resourceVersion', world.formerVersion)
      const watch = new URLSearchParams([...query, ['watch', 'true'], ['allowWatchBookmarks', 'true']])
      query.set('resourceVersionMatch', 'Exact')
      const list = await serve(`${path}?${query}`)
      if (!request.streamsList) return list
      return listedAsWatch(
        list,
        () => serve(`${path}?${watch}`),
        (work) => world.clock.schedule(8000, work),
      )
    },
  },

  // Watches.
  { name: 'watch-ends', fits: isWatch, strike: acting({ watch: { closeAfter: 2 } }) },
  { name: 'watch-ends-at-once', fits: isWatch, strike: acting({ watch: { closeAfter: 0 } }) },
  {
    name: 'watch-cut',
    fits: isWatch,
    strike: async ({ serve, world }) => brokenWithin(await serve(), 2, () => world.cut()),
  },
  { name: 'watch-expires', fits: isWatch, strike: acting({ watch: { expireAfter: 2 } }) },
  { name: 'watch-frozen', fits: isWatch, strike: acting({ watch: { freezeAfter: 1 } }) },
  { name: 'watch-repeats', fits: isWatch, strike: acting({ watch: { duplicateEvery: 1 } }) },
  { name: 'watch-reorders', fits: isWatch, strike: async ({ serve }) => reordered(await serve()) },
  { name: 'watch-late', fits: isWatch, strike: acting({ watch: { delay: 9000 } }) },
  { name: 'watch-late-a-little', fits: isWatch, strike: acting({ watch: { delay: 300 } }) },
  { name: 'watch-without-bookmarks', fits: isWatch, strike: acting({ watch: { suppressBookmarks: true } }) },
  {
    name: 'watch-loses-a-frame',
    fits: isWatch,
    strike: async ({ serve, request }) => losingOne(await serve(), request.streamsList),
  },
  {
    name: 'watch-error',
    fits: isWatch,
    strike: async ({ serve }) => {
      const event = Buffer.from(`${JSON.stringify({ type: 'ERROR', object: answerBody(500, 'InternalError') })}\n`)
      return spoiled(await serve(), (frame, index) => (index === 1 ? [frame, event] : [frame]))
    },
  },
  {
    name: 'watch-garbage',
    fits: isWatch,
    strike: async ({ serve }) =>
      spoiled(await serve(), (frame, index) => (index === 1 ? [frame, Buffer.from('{"type":\n')] : [frame])),
  },

  // The process.
  { name: 'kill-before', endsTerm: true, fits: isAny, strike: killing },
  {
    name: 'kill-after',
    endsTerm: true,
    fits: isAny,
    async strike({ serve, world }) {
      await serve()
      world.kill()
      return 'drop'
    },
  },
  { name: 'restart', endsTerm: true, fits: isAny, strike: besides((world) => world.restart()) },
  { name: 'lease-lost', endsTerm: true, fits: isAny, strike: besides((world) => world.loseLease(20_000)) },
  {
    name: 'lease-lost-after',
    endsTerm: true,
    fits: isWrite,
    async strike({ serve, world }) {
      const reply = await serve()
      world.loseLease(100)
      return reply
    },
  },
  { name: 'paused', fits: isAny, strike: besides((world) => world.pause(60_000)) },

  // The world.
  { name: 'connections-cut', fits: isAny, strike: besides((world) => world.cut()) },
  {
    name: 'compacted',
    fits: isAny,
    async strike({ serve, world }) {
      world.compact()
      world.cut()
      return serve()
    },
  },
  { name: 'clock-forward', fits: isAny, strike: besides((world) => world.jump(3_600_000)) },
  { name: 'clock-back', fits: isAny, strike: besides((world) => world.jump(-3_600_000)) },
  {
    name: 'written-meanwhile',
    fits: (request) => isWrite(request) && request.resource?.name !== '' && request.verb !== 'create',
    async strike({ serve, request, world }) {
      await world.interfere(request)
      return serve()
    },
  },
]

export function faultKind(name: string): FaultKind {
  const kind = FAULT_KINDS.find((one) => one.name === name)
  if (!kind)
    throw new Error(`there is no kind of fault "${name}"; there are ${FAULT_KINDS.map((one) => one.name).join(', ')}`)
  return kind
}

/** The request is served, and something else happens. */
function besides(effect: (world: World) => void): FaultKind['strike'] {
  return ({ serve, world }) => {
    effect(world)
    return serve()
  }
}

async function killing({ world }: Blow): Promise<Silence> {
  world.kill()
  return 'drop'
}

function isCreation({ verb, url }: SeenRequest): boolean {
  return verb === 'create' || (verb === 'patch' && url.includes('force=false'))
}

function isAlike(struck: SeenRequest): (request: SeenRequest) => boolean {
  return ({ verb, resource, path }) =>
    verb === struck.verb && (resource ? resource.plural === struck.resource?.plural : path === struck.path)
}

function answerBody(code: number, reason: string, message?: string) {
  return failureReply(code, reason, message).body ?? {}
}

function answer(code: number, reason: string, message?: string): Reply {
  return jsonReply(answerBody(code, reason, message), code)
}

function answering(code: number, reason: string, message?: string): FaultKind['strike'] {
  return async () => answer(code, reason, message)
}

function afterwards(reply: Reply): FaultKind['strike'] {
  return async ({ serve }) => {
    await serve()
    return reply
  }
}

/** The request and, of those that are about the same object, so many more. */
function standing(more: number, reply: Reply): FaultKind['strike'] {
  return async ({ request, world }) => {
    const [path] = request.url.split('?', 1)
    world.stand({
      reply,
      times: more,
      takes: ({ method, url }) => method === request.method && url.split('?', 1)[0] === path,
    })
    return reply
  }
}

/** The request and, for so long, those like it. */
function forAWhile(
  milliseconds: number,
  reply: Reply,
  likeIt: (struck: SeenRequest) => (request: SeenRequest) => boolean,
): FaultKind['strike'] {
  return async ({ request, world }) => {
    const takes = likeIt(request)
    let isOver = false
    world.clock.schedule(milliseconds, () => {
      isOver = true
    })
    world.stand({ reply, times: Number.POSITIVE_INFINITY, takes: (other) => !isOver && takes(other) })
    return reply
  }
}

function withHeader(reply: Reply, name: string, value: string): Reply {
  return { ...reply, headers: { ...reply.headers, [name]: value } }
}

function withoutItems(reply: Reply | Silence): Reply | Silence {
  if (typeof reply === 'string' || 'stream' in reply || reply.status !== 200) return reply
  return { ...reply, body: JSON.stringify({ ...JSON.parse(String(reply.body)), items: [] }) }
}
