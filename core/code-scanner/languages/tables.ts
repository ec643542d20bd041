/** Languages with a table: one line for each. */
export { cSharp } from './c-sharp.ts'
export { go } from './go.ts'
export { java } from './java.ts'
export { javascript } from './javascript.ts'
export { kotlin } from './kotlin.ts'
export { python } from './python.ts'
export { ruby } from './ruby.ts'
export { rust } from './rust.ts'
