#include "sim/profile/recordings.h"

#include "base/file.h"
#include "base/temporary.h"
#include "sim/profile/timeline.h"
#include "sim/profile/waves.h"

namespace vantage::sim {

template <typename Record>
struct Recordings::Recording {
  Recording(const isa::Config& config, const std::filesystem::path& path) : record(config), file(path) {}

  Record record;
  NewFile file;
};

Recordings::Recordings(const isa::Config& config, const std::filesystem::path& timeline,
                       const std::filesystem::path& vcd, RunObserver observer)
    : observer_(std::move(observer)) {
  if (!timeline.empty()) timeline_ = std::make_unique<Recording<Timeline>>(config, timeline);
  if (!vcd.empty()) waves_ = std::make_unique<Recording<Waves>>(config, vcd);
}

Recordings::~Recordings() = default;

void Recordings::add(const RecordedRun& run) {
  if (timeline_) timeline_->record.add(run);
  if (waves_) waves_->record.add(run);
  if (observer_) observer_(run);
}

template <typename Record>
void Recordings::end(std::unique_ptr<Recording<Record>>& recording, const std::string& text) {
  write_file(recording->file.path(), text);
  recording->file.commit();
  recording.reset();
}

void Recordings::finish() {
  if (timeline_) end(timeline_, timeline_->record.json());
  if (waves_) end(waves_, waves_->record.vcd());
}

}  // namespace vantage::sim
