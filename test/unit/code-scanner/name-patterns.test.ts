import { describe, expect, it } from 'vitest'
import { lookUpNames, matchNames } from '../../../core/code-scanner/model/name-patterns.ts'

const fits = (patterns: string, names: string): readonly string[] =>
  names.split(' ').filter(matchNames(patterns))

describe('name patterns', () => {
  it('match whole names only', () => {
    expect(fits('http.Get fetch', 'http.Get fetch http.GetX x.http.Get fetch.x')).toEqual([
      'http.Get',
      'fetch',
    ])
  })

  it('match a last part after a dot, or alone too', () => {
    expect(fits('.Get', 'Get .Get a.Get a.b.Get a.Getter')).toEqual(['.Get', 'a.Get', 'a.b.Get'])
    expect(fits('*.Get', 'Get .Get a.b.Get aGet')).toEqual(['Get', '.Get', 'a.b.Get'])
    expect(fits('*.log.info', 'log.info a.log.info blog.info')).toEqual(['log.info', 'a.log.info'])
  })

  it('let a star stand for letters, digits and underscores', () => {
    expect(fits('get* *Client.new a.*', 'get get_x1 get.x MyClient.new a.b a.b.c')).toEqual([
      'get',
      'get_x1',
      'MyClient.new',
      'a.b',
    ])
    expect(fits('.assert_*', 'assert_x t.assert_x')).toEqual(['t.assert_x'])
  })

  it('let two stars stand for all that follows', () => {
    expect(fits('log.**', 'log log.a log.a.b blog.a')).toEqual(['log.a', 'log.a.b'])
  })

  it('expand alternatives', () => {
    expect(fits('fmt.{P,Fp}rint{,f}', 'fmt.Print fmt.Fprintf fmt.print fmt.{P')).toEqual([
      'fmt.Print',
      'fmt.Fprintf',
    ])
  })

  it('match constructions of classes', () => {
    const names = ['new Url', 'new a.Url', 'Url', 'new MyError', 'new Errors'].filter(
      matchNames('new:*.Url new:*Error'),
    )
    expect(names).toEqual(['new Url', 'new a.Url', 'new MyError'])
  })

  it('nest alternatives', () => {
    expect(fits('{warn{,_all},x.{y,z}}', 'warn warn_all x.y x.z x warn_x')).toEqual([
      'warn',
      'warn_all',
      'x.y',
      'x.z',
    ])
  })

  it('take marks of other languages as they are', () => {
    expect(fits('.include? $log.info a|b', 'x.include? x.includ $log.info a')).toEqual([
      'x.include?',
      '$log.info',
    ])
  })

  it('give the value of the first row that fits', () => {
    const roleOf = lookUpNames([
      ['log.error', 'error'],
      ['log.*', 'documentation'],
    ])
    expect(['log.error', 'log.info', 'x'].map(roleOf)).toEqual([
      'error',
      'documentation',
      undefined,
    ])
  })
})
