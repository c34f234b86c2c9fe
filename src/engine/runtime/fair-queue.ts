/** The place of an item in a `FairQueue`, with which it can be removed. */
export interface Ticket<Item> {
  readonly item: Item
}

interface Place<Item> extends Ticket<Item> {
  waiting: boolean
}

/**
 * First in, first out within a lane. Lanes take turns, and so do groups of lanes.
 *
 * Every operation takes constant time, except that `shift` checks each group that may not run.
 */
export class FairQueue<Item> {
  readonly #groups = new Map<string, Group<Item>>()
  readonly #turns = new Fifo<Group<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(item: Item, group: string, lane: string): Ticket<Item> {
    const place = this.#group(group).push(item, lane)
    this.#size++
    return place
  }

  /** Removes an item that `shift` has not returned yet. */
  remove(ticket: Ticket<Item>): void {
    const place = ticket as Place<Item>
    place.waiting = false
    this.#size--
  }

  /** The next item of a group that `mayRun`, given the group's name and its next item. */
  shift(mayRun: (group: string, next: Item) => boolean): Item | undefined {
    for (let left = this.#turns.size; left > 0; left--) {
      const group = this.#turns.shift()
      const place = group?.head()
      if (group && !place) this.#groups.delete(group.name)
      if (!group || !place) continue
      this.#turns.push(group)
      if (!mayRun(group.name, place.item)) continue
      group.advance()
      this.remove(place)
      return place.item
    }
    return undefined
  }

  #group(name: string): Group<Item> {
    let group = this.#groups.get(name)
    if (!group) {
      group = new Group(name)
      this.#groups.set(name, group)
      this.#turns.push(group)
    }
    return group
  }
}

class Group<Item> {
  readonly name: string
  readonly #lanes = new Map<string, Lane<Item>>()
  readonly #turns = new Fifo<Lane<Item>>()

  constructor(name: string) {
    this.name = name
  }

  push(item: Item, laneName: string): Place<Item> {
    let lane = this.#lanes.get(laneName)
    if (!lane) {
      lane = { name: laneName, places: new Fifo() }
      this.#lanes.set(laneName, lane)
      this.#turns.push(lane)
    }
    const place: Place<Item> = { item, waiting: true }
    lane.places.push(place)
    return place
  }

  /** The next place, which is not removed; `undefined` if nothing waits. Empty lanes and places are removed. */
  head(): Place<Item> | undefined {
    for (let lane = this.#turns.first(); lane; lane = this.#turns.first()) {
      while (lane.places.first()?.waiting === false) lane.places.shift()
      const place = lane.places.first()
      if (place) return place
      this.#turns.shift()
      this.#lanes.delete(lane.name)
    }
    return undefined
  }

  /** Ends the turn of the lane whose place `head` returned. */
  advance(): void {
    const lane = this.#turns.shift()
    lane?.places.shift()
    if (lane) this.#turns.push(lane)
  }
}

interface Lane<Item> {
  readonly name: string
  readonly places: Fifo<Place<Item>>
}

/** An array whose first item can be removed in constant time. */
class Fifo<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  first(): T | undefined {
    return this.#items[this.#head]
  }

  /** Must not be empty. */
  shift(): T | undefined {
    const item = this.#items[this.#head]
    this.#items[this.#head++] = undefined
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
