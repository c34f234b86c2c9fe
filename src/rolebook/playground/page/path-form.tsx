import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface PathFormProps {
  readonly label: string
  /** The path or name to begin with. */
  readonly path: string
  /** What the button says that sends it. */
  readonly verb: string
  /** Paths that a person may want, by what they are. */
  readonly kinds?: Readonly<Record<string, string>>
  /** Returns why it cannot be used, if so. */
  onSend(path: string): string | undefined | Promise<string | undefined>
  /** It was used, or a person wants none. */
  onClose(): void
}

/**
 * Asks for the path of a file, or for a name, and says at once what is wrong with it. The input itself holds the path: a state would still be the one of the
 * last rendering when a person sends the form right after the last key.
 */
export function PathForm({ label, path: first, verb, kinds, onSend, onClose }: PathFormProps) {
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const end = first.length
    input.current?.focus()
    input.current?.setSelectionRange(end, end)
  }, [first])
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    const found = await onSend(input.current?.value.trim() ?? '')
    setProblem(found)
    if (found === undefined) onClose()
    else input.current?.focus()
  }
  const choose = (wanted: string): void => {
    if (input.current) input.current.value = wanted
    setProblem(undefined)
    input.current?.focus()
  }
  return (
    <form
      class="path-form"
      onSubmit={(event) => void send(event)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {kinds && (
        <p class="kinds">
          {Object.entries(kinds).map(([name, wanted]) => (
            <button key={name} type="button" class="action" onClick={() => choose(wanted)}>
              {name}
            </button>
          ))}
        </p>
      )}
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={input}
        type="text"
        defaultValue={first}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
      />
      <p id={`${id}-problem`} class="path-problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="action is-main">
        {verb}
      </button>{' '}
      <button type="button" class="action" onClick={onClose}>
        Cancel
      </button>
    </form>
  )
}
