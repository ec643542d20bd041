import { byAlias, type ManifestFormat, type PackagePattern } from './pattern.ts'

/** Vendors by the receivers of Alertmanager and the contact points of Grafana. */
const RECEIVERS = byAlias(`
  slack=slack pagerduty=pagerduty opsgenie=opsgenie,opsGenie telegram=telegram discord=discord
  pushover=pushover webex=webex jira=jira aws=sns
`)

/** Vendors by the data sources of Grafana that are services. */
const DATA_SOURCES = byAlias(`
  aws=cloudwatch,grafana-x-ray-datasource,grafana-athena-datasource,grafana-redshift-datasource
  aws=grafana-timestream-datasource google=stackdriver,grafana-bigquery-datasource
  google=doitintl-bigquery-datasource,grafana-googlesheets-datasource
  azure=grafana-azure-monitor-datasource,grafana-azure-data-explorer-datasource
  datadog=grafana-datadog-datasource newrelic=grafana-newrelic-datasource
  sentry=grafana-sentry-datasource honeycomb=grafana-honeycomb-datasource
  github=grafana-github-datasource jira=grafana-jira-datasource
  sumologic=grafana-sumologic-datasource pagerduty=grafana-pagerduty-datasource
`)

/** Vendors by the exporters of the OpenTelemetry Collector. */
const EXPORTERS = byAlias(`
  datadog=datadog aws=awsxray,awsemf,awscloudwatchlogs,awss3,awskinesis
  google=googlecloud,googlemanagedprometheus,googlecloudpubsub azure=azuremonitor,azureblob
  azure=azuredataexplorer coralogix=coralogix honeycomb=honeycombmarker logzio=logzio
  splunk=signalfx,sapm sumologic=sumologic sentry=sentry alibaba=alibabacloud_logservice
  tencent=tencentcloud_logservice
`)

/** Vendors by the sinks of Vector. */
const SINKS = byAlias(`
  datadog=datadog_logs,datadog_metrics,datadog_events,datadog_traces newrelic=new_relic
  aws=aws_s3,aws_cloudwatch_logs,aws_cloudwatch_metrics,aws_kinesis_streams
  aws=aws_kinesis_firehose,aws_sqs,aws_sns google=gcp_cloud_storage,gcp_stackdriver_logs
  google=gcp_stackdriver_metrics,gcp_pubsub,gcp_chronicle_unstructured
  azure=azure_blob,azure_monitor_logs axiom=axiom honeycomb=honeycomb papertrail=papertrail
  appsignal=appsignal
`)

/** Vendors by the outputs of Fluent Bit, Fluentd and Logstash. */
const OUTPUTS = byAlias(`
  datadog=datadog,datadog_logs,datadog_metrics newrelic=newrelic,nrlogs
  aws=cloudwatch_logs,cloudwatch,s3,sqs,sns,kinesis_streams,kinesis_firehose,kinesis,firehose
  google=bigquery,bigquery_insert,bigquery_load,stackdriver,google_cloud,gcs,chronicle
  google=google_bigquery,google_cloud_storage,google_pubsub
  azure=azure,azure_blob,azure_kusto,azure_logs_ingestion,azurestorage slack=slack
  pagerduty=pagerduty loggly=loggly sumologic=sumologic logzio=logzio,logzio_buffered
  papertrail=papertrail coralogix=coralogix honeycomb=honeycomb_json_batch
  oracle=oracle_log_analytics
`)

/** Outputs in the classic format of Fluent Bit, which YAML may contain as text. */
const FLUENT_BIT: PackagePattern = {
  type: 'telemetry',
  sections: [/^[ \t]*\[OUTPUT\]/gim, /\n[ \t]*\[/g],
  name: /^[ \t]+Name[ \t]+(?<name>\w+)/gim,
  names: OUTPUTS,
}

/** Services that receive logs, metrics, traces and alerts, in YAML. */
export const TELEMETRY_YAML: readonly PackagePattern[] = [
  {
    type: 'telemetry',
    name: /^[ \t]*(?:-[ \t]+)?(?<name>[a-z]\w*?)(?:_c|C)onfigs:/gm,
    names: RECEIVERS,
  },
  {
    type: 'telemetry',
    sections: [/^[ \t]*contactPoints:/gm, /\n(?=\w)/g],
    name: /^[ \t]+(?:-[ \t]+)?type:[ \t]*["']?(?<name>\w+)/gm,
    names: RECEIVERS,
  },
  {
    type: 'telemetry',
    sections: [/^[ \t]*(?:datasources|additionalDataSources):/gm, /\n(?=\w)/g],
    name: /^[ \t]+(?:-[ \t]+)?type:[ \t]*["']?(?<name>[\w-]+)/gm,
    names: DATA_SOURCES,
  },
  {
    type: 'telemetry',
    sections: [
      /^[ \t]*exporters:[ \t]*$/gm,
      /\n[ \t]*(?:service|processors|receivers|extensions|connectors):/g,
    ],
    name: /^[ \t]+(?<name>\w+)(?:\/[\w.-]+)?:/gm,
    names: EXPORTERS,
  },
  {
    type: 'telemetry',
    sections: [/^[ \t]*sinks:[ \t]*$/gm, /\n[ \t]*(?:sources|transforms|tests):/g],
    name: /^[ \t]+type:[ \t]*["']?(?<name>\w+)/gm,
    names: SINKS,
  },
  {
    type: 'telemetry',
    sections: [/^[ \t]+outputs:[ \t]*$/gm, /\n(?=\w)/g],
    name: /^[ \t]+(?:-[ \t]+)?name:[ \t]*["']?(?<name>\w+)/gm,
    names: OUTPUTS,
  },
  FLUENT_BIT,
]

/** The same in other formats. */
export const TELEMETRY_FORMATS: readonly ManifestFormat[] = [
  [
    '*.{conf,conf.j2,conf.tpl,conf.template}',
    FLUENT_BIT,
    {
      type: 'telemetry',
      sections: [/<(?:match|store)\b/g, /<\/(?:match|store)>/g],
      name: /^[ \t]*@type[ \t]+["']?(?<name>\w+)/gm,
      names: OUTPUTS,
    },
    {
      type: 'telemetry',
      sections: [/^[ \t]*output[ \t]*\{/gm, /\n(?=[a-z]+[ \t]*\{)/g],
      name: /(?<=[\s{}])(?<name>\w+)[ \t]*\{/g,
      names: OUTPUTS,
    },
  ],
  [
    '*vector*.toml',
    {
      type: 'telemetry',
      sections: [/^[ \t]*\[sinks\.[^\]\n]*\]/gm, /\n[ \t]*\[/g],
      name: /^[ \t]*type[ \t]*=[ \t]*["'](?<name>\w+)/gm,
      names: SINKS,
    },
  ],
]
