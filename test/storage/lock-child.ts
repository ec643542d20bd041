import { DatabaseSync } from 'node:sqlite'

// Holds the write lock of a file until its input ends. Argument: file.
const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec('begin immediate')
console.log('locked')
process.stdin.resume().once('end', () => {
  database.exec('rollback')
  database.close()
})
