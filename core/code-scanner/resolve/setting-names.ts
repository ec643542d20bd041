import { matchNames } from '../model/name-patterns.ts'
import type { Call, Expression } from '../model/program.ts'
import { isBaseName, isHostName } from '../noise/noise.ts'

/**
 * Finds the name of the address that a call reads or defines with a default:
 * `config.get('api.url', 'https://…')`, `flag.String("endpoint", "https://…", "usage")`,
 * `Optional.ofNullable(System.getenv("API_URL")).orElse("https://…")`.
 */
export function findSettingName({ callee, receiver, args }: Call): string | undefined {
  if (!readsSetting(callee)) return undefined
  const keys = [...args.slice(0, 2), ...chainOf(receiver)].flatMap(toKey)
  return keys.find((key) => isBaseName(key) || isHostName(key))
}

/** The name of the address that a value reads from the environment or a configuration. */
export function findSettingOf(value: Expression): string | undefined {
  if (value.kind === 'call') return findSettingName(value.call)
  const key = value.kind === 'name' ? SETTING.exec(value.name)?.[1] : undefined
  return key !== undefined && (isBaseName(key) || isHostName(key)) ? key : undefined
}

const SETTING = /(?:^|\.)(?:_?env|environ|config\w*|settings?|options)\.(?:\w+\.)*(\w+)$/i

/** Arguments of the calls that a default is added to. */
function chainOf(receiver: Expression | undefined): readonly Expression[] {
  const found: Expression[] = []
  let value = receiver
  for (let step = 0; value?.kind === 'call' && step < MAX_CHAIN; step += 1) {
    const { call }: { readonly call: Call } = value
    const inner = call.args.flatMap((one) => (one.kind === 'call' ? one.call.args : [one]))
    found.push(...inner)
    value = call.receiver
  }
  return found
}

/** `api.base-url` to `base_url`. */
function toKey(value: Expression): readonly string[] {
  if (value.kind !== 'text' || !/^[A-Za-z][\w.:-]*$/.test(value.text)) return []
  return [value.text.replace(/^.*[.:]/, '').replaceAll('-', '_')]
}

/** Whether a call reads a setting, or adds a default to one, by its name. */
export const readsSetting = matchNames(`
  *.{get,Get,fetch,read,resolve,env,getenv,Getenv,getEnv,config,option,setting,param,property}
  *.{get,Get}{String,Str,Value,Property,Env,EnvVar,Option,Setting,Config,Parameter,Param,_option}
  *.{get_,read_,env_,}{env,setting,config,option,or_default,with_default,default}
  *.{getattr,getOrDefault,getOrElse,GetValue,GetEnv,UString,StringVar,StringVarP,StringP,String}
  *.{set,Set,add,Add,register,define}{Default,_default,Option,_option,Setting,_setting}
  *.{or,orElse,or_else,unwrap_or,unwrap_or_else,defaultTo,default,Default,str,url,string,value}
  *.{setIfAbsent,putIfAbsent,setdefault,get_option,lookupEnv,envOr,EnvOr,envOrDefault,getEnvOr}
  *.{variable,optionalString,optString,getStringOrDefault}
`)

const MAX_CHAIN = 4
