/** One server-sent event. */
export interface ServerEvent {
  /** The last one that was sent. */
  readonly id: string | undefined
  readonly data: string
}

/** Splits a stream into its events. It keeps what has not come to its end yet. */
export class EventSplitter {
  #rest = ''
  #id: string | undefined

  /** The events that a further piece of the stream completes. Comments are none. */
  push(piece: string): readonly ServerEvent[] {
    const blocks = (this.#rest + piece).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => this.#parse(block))
  }

  #parse(block: string): readonly ServerEvent[] {
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (field === 'id') this.#id = value
      if (field === 'data') data.push(value)
    }
    return data.length === 0 ? [] : [{ id: this.#id, data: data.join('\n') }]
  }
}
