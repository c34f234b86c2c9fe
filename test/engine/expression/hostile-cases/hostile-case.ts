/** An expression with the error that it must end in: the code, and the offset just after the token; -1 where there is none. */
export type HostileCase = readonly [source: string, code: string, position: number]
