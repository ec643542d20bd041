/** Version of this package, identical to package.json. */
export const VERSION = '0.1.0'
