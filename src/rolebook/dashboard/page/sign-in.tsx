import { useState } from 'preact/hooks'

export interface SignInProps {
  /** Why the last token was refused. Absent: none was given yet. */
  readonly message: string | undefined
  onToken(token: string): void
}

/** Asks for a token of the cluster. The page keeps it in its memory alone. */
export function SignIn({ message, onToken }: SignInProps) {
  const [token, setToken] = useState('')
  return (
    <main class="sign-in">
      <h1>rolebook</h1>
      <p class="muted">
        The API server decides who may read this page. Paste a token of a ServiceAccount, such as one that{' '}
        <code>kubectl create token</code> prints.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') onToken(token.trim())
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit">Read</button>
      </form>
      {message !== undefined && (
        <p class="trouble tone-bad" role="alert">
          {message}
        </p>
      )}
    </main>
  )
}
