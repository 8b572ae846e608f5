{{/*
A Deployment with its PodDisruptionBudget. Takes root, component (api or worker), command, ports, and the probes and
lifecycle of the container as text.
*/}}
{{- define "access-admin.deployment" -}}
{{- $root := .root -}}
{{- $values := get $root.Values .component -}}
{{- $name := printf "%s-%s" (include "access-admin.name" $root) .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "access-admin.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels:
      {{- include "access-admin.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "access-admin.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "access-admin.name" $root }}
      automountServiceAccountToken: false
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "access-admin.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      terminationGracePeriodSeconds: 30
      containers:
        - name: {{ .component }}
          {{- with $root.Values.image }}
          image: {{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $root.Chart.AppVersion }}{{ end }}
          imagePullPolicy: {{ .pullPolicy }}
          {{- end }}
          command: {{ toJson .command }}
          envFrom:
            - secretRef:
                name: {{ $root.Values.existingSecret }}
          env:
            - name: BASE_ADDRESS
              value: {{ $root.Values.baseAddress | quote }}
            - name: METRICS_PORT
              value: '9090'
            {{- with $root.Values.trustedProxies }}
            - name: TRUSTED_PROXIES
              value: {{ . | quote }}
            {{- end }}
            {{- range $key, $value := $root.Values.env }}
            - name: {{ $key }}
              value: {{ $value | quote }}
            {{- end }}
          ports:
            {{- range $port, $number := .ports }}
            - name: {{ $port }}
              containerPort: {{ $number }}
            {{- end }}
          {{- .probes | nindent 10 }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: temporary
              mountPath: /tmp
            {{- with $root.Values.volumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        # The rest of the file system is read-only.
        - name: temporary
          emptyDir:
            sizeLimit: {{ $values.temporarySizeLimit }}
        {{- with $root.Values.volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- if $root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "access-admin.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: {{ $root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "access-admin.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end }}
