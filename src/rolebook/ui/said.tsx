/** What the engine says: code stands between backticks. */
export function Said({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('`').map((part, index) => {
        const isCode = index % 2 === 1
        return isCode ? <code key={index}>{part}</code> : part
      })}
    </>
  )
}
