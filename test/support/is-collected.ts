import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What lives only as long as what is under way may take some collections to go. */
const ROUNDS = 20

/** Whether nothing holds an object any more. The caller must not, either. */
export async function isCollected(object: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < ROUNDS && object.deref() !== undefined; round++) {
    // What was looked at lives until the end of the turn.
    await turn()
    collectGarbage()
  }
  return object.deref() === undefined
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
