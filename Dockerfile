# One image for every part: the built jars and a Java runtime. Build the jars first: ./weighbridge help
FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --home-dir /var/lib/weighbridge --create-home weighbridge
COPY suite/target/lib /opt/weighbridge/lib
USER weighbridge
WORKDIR /var/lib/weighbridge
ENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=60 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED"
ENTRYPOINT ["java", "--sun-misc-unsafe-memory-access=allow", "-cp", "/opt/weighbridge/lib/*"]
