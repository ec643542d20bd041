import { DatabaseSync } from 'node:sqlite'

// Holds the write lock of a file. Arguments: file, milliseconds.
const [file = '', ms = '0'] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec('begin immediate')
console.log('locked')
setTimeout(() => {
  database.exec('rollback')
  database.close()
}, Number(ms))
