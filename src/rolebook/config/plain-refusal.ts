const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  int32: 'a whole number of 32 bits',
  int64: 'a whole number of 64 bits',
  float: 'a number',
  double: 'a number',
  array: 'a list',
  object: 'a map',
  null: 'empty',
  'integer,string': 'a whole number or text',
}

/** `Invalid value: "string": spec.size in body must be of type integer: "string"`, which names two types and no value. */
const WRONG_TYPE = /^Invalid value: "(?:\w+)": .*? ?in body must be of type ([\w,]+): "(\w+)"$/

/** What a server says of a value, in the words of the author where it speaks of types. */
export function plainRefusal(text: string): string {
  const [, wanted = '', given = ''] = WRONG_TYPE.exec(text) ?? []
  // Text of a format is quoted in the same place: `must be of type date: "today"`.
  if (TYPES[wanted] === undefined || TYPES[given] === undefined) return text
  return `this is ${given === 'number' ? 'a number with a fraction' : TYPES[given]}, where ${TYPES[wanted]} is wanted`
}
