"""Java: the runtime, Maven and Gradle. Neither keeps one list of what is installed."""

from proctor.capture.base import Ecosystem, Probe

ECOSYSTEM = Ecosystem(
    order=7,
    markers=("pom.xml", "build.gradle", "build.gradle.kts", "build.sbt"),
    locks=("gradle.lockfile", "buildscript-gradle.lockfile"),
    probes=(
        Probe(
            ("java", "-XshowSettings:properties", "-version"),
            java=r"^\s*java\.version = (\S+)",
            java_vendor=r"^\s*java\.vendor = (.+)$",
            java_platform=r"^\s*os\.arch = (\S+)",
        ),
        Probe(("mvn", "-v"), maven=r"^Apache Maven (\S+)"),
    ),
)
