import { expect } from 'chai'
import { type Dispatcher, request } from 'undici'
import { InMemoryDispatcher } from '../../../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { Reply, ReplySink } from '../../../../src/sandbox/apiserver/http/reply.ts'

const URL = 'http://localhost/x'
const OPTIONS: Dispatcher.DispatchOptions = { origin: 'http://localhost', method: 'GET', path: '/x' }
const text: Reply = { status: 200, contentType: 'text/plain', body: 'hello' }

const answering = (reply: Reply): InMemoryDispatcher =>
  new InMemoryDispatcher(
    async () => reply,
    () => undefined,
  )
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('requests to a server of the same process', () => {
  it('need no headers', async () => {
    const { statusCode, body } = await request(URL, { dispatcher: answering(text) })
    expect([statusCode, await body.text()]).to.deep.equal([200, 'hello'])
  })

  it('get every value of a header that comes more than once', async () => {
    const dispatcher = answering({ ...text, headers: { Warning: ['299 - "a"', '299 - "b"'] } })
    const { headers, body } = await request(URL, { dispatcher })
    await body.dump()
    expect(headers.warning).to.deep.equal(['299 - "a"', '299 - "b"'])
  })

  it('that are given up with the first bytes of the answer do not also succeed', async () => {
    const seen: string[] = []
    answering(text).dispatch(OPTIONS, {
      onResponseData: (controller) => {
        seen.push('data')
        controller.abort(new Error('enough'))
      },
      onResponseEnd: () => void seen.push('end'),
      onResponseError: (_controller, error) => void seen.push(error.message),
    })
    for (let count = 0; count < 4; count++) await turn()
    expect(seen).to.deep.equal(['data', 'enough'])
  })

  it('that pause hold a stream back until they go on', async () => {
    const sinks: ReplySink[] = []
    const controllers: Dispatcher.DispatchController[] = []
    const dispatcher = answering({
      status: 200,
      contentType: 'application/json',
      stream: (each) => void sinks.push(each),
    })
    dispatcher.dispatch(OPTIONS, { onResponseStart: (each) => void controllers.push(each) })
    for (let count = 0; count < 4; count++) await turn()
    const [[sink], [controller]] = [sinks, controllers]
    const seen: unknown[] = []
    sink?.onDrain(() => seen.push('drained'))
    const write = (): void => void seen.push(sink?.write(Buffer.from('x')))
    write()
    controller?.pause()
    write()
    seen.push(controller?.paused)
    controller?.resume()
    write()
    controller?.resume()
    expect(seen).to.deep.equal([true, false, true, 'drained', true])
    await dispatcher.close()
  })
})
