import { render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Dashboard } from '../../ui/dashboard.tsx'
import { countsOf } from '../../ui/list-state.ts'
import { applyIncrement, EMPTY_MODEL, type Model, type ResourceDetails } from '../../ui/model.ts'
import { Connection } from './connection.ts'
import { SignIn } from './sign-in.tsx'

/** Milliseconds between two looks at what is open: objects and events change without a run. */
const DETAILS_PERIOD = 2_000
/** Milliseconds after which ages are printed anew. */
const CLOCK_PERIOD = 5_000

function Page() {
  const [model, setModel] = useState<Model>(EMPTY_MODEL)
  const [problem, setProblem] = useState<string | undefined>('Connecting…')
  const [refusal, setRefusal] = useState<string>()
  const [token, setToken] = useState('')
  const connection = useConnection({ setModel, setProblem, setRefusal })
  useEffect(() => {
    const end = new AbortController()
    void connection.follow(token, end.signal)
    return () => end.abort()
  }, [connection, token])
  useTitle(model)
  const selected = useSelected()
  const details = useDetails(connection, refusal === undefined ? selected : undefined)
  const now = useNow()
  const signIn = (next: string): void => {
    setRefusal(undefined)
    setToken(next)
  }
  if (refusal !== undefined) return <SignIn message={token === '' ? undefined : refusal} onToken={signIn} />
  const hrefOf = (key: string): string => `#/${key.split('/').map(encodeURIComponent).join('/')}`
  return <Dashboard {...{ model, problem, selected, details, now, hrefOf }} />
}

interface Setters {
  setModel(change: (model: Model) => Model): void
  setProblem(problem: string | undefined): void
  setRefusal(message: string): void
}

function useConnection({ setModel, setProblem, setRefusal }: Setters): Connection {
  return useMemo(
    () =>
      new Connection({
        take: (increment) => setModel((model) => applyIncrement(model, increment)),
        state: setProblem,
        refused: setRefusal,
      }),
    [],
  )
}

/** A tab in the background shows how many resources need a person. */
function useTitle({ rows }: Model): void {
  useEffect(() => {
    const { attention } = countsOf(rows.values())
    document.title = attention > 0 ? `(${attention}) rolebook` : 'rolebook'
  }, [rows])
}

/** The key of the resource that the address names. */
function useSelected(): string | undefined {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const parts = hash.slice(2).split('/')
  try {
    return parts.length === 4 ? parts.map(decodeURIComponent).join('/') : undefined
  } catch {
    return undefined
  }
}

function useDetails(connection: Connection, key: string | undefined): ResourceDetails | 'missing' | undefined {
  const [known, setKnown] = useState<{ readonly key: string; readonly details: ResourceDetails | 'missing' }>()
  const focused = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (key === undefined) return
    const end = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const details = await connection.details(key, end.signal)
        if (!end.signal.aborted) setKnown({ key, details })
      } catch {
        // What is shown stays: the bar says that the page is not live.
      }
    }
    void look()
    const timer = setInterval(() => void look(), DETAILS_PERIOD)
    return () => {
      end.abort()
      clearInterval(timer)
    }
  }, [connection, key])
  const details = known?.key === key ? known?.details : undefined
  useEffect(() => {
    // A screen reader reads the title aloud when it gets the focus.
    if (details === undefined || focused.current === key) return
    focused.current = key
    document.getElementById('resource-title')?.focus({ preventScroll: true })
  }, [details, key])
  return details
}

function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_PERIOD)
    return () => clearInterval(timer)
  }, [])
  return now
}

const root = document.getElementById('root')
if (root) render(<Page />, root)
